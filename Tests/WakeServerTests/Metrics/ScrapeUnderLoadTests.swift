import EndpointRegistry
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import Testing
import WakeServer

@Suite("Scraping while the service works")
struct ScrapeUnderLoadTests {
  private static let phones = 10
  private static let rounds = 3

  @Test("costs no wake, however often it is done", .timeLimit(.minutes(5)))
  func load() async throws {
    let clock = WallClock.system
    // A steady clock that runs, and never says that what was read is fresh.
    let leaps = Mutex<Int64>(0)
    let system = SteadyTime.system()
    let steady = SteadyTime(
      now: {
        leaps.withLock { leaps in
          leaps += 15_000
          return leaps
        }
      }, sleep: system.sleep)
    try await TestService.with { service in
      for number in 0..<Self.phones { _ = try await service.phone("/up/\(number)") }
      #expect(await service.pushServer.wait(for: Self.phones).count == Self.phones)
      let state = StateReader(clock: clock, steady: steady) { at throws(RegistryError) in
        try await service.store.overview(at: at)
      }
      let page = MetricsPage(metrics: service.metrics, state: state) { MetricsPage.Depths() }
      let scrapers = (1...2).map { _ in
        Task {
          var scrapes = 0
          while !Task.isCancelled {
            _ = await page.text(.openMetrics)
            scrapes += 1
          }
          return scrapes
        }
      }
      var sent = Self.phones
      for _ in 1...Self.rounds {
        try await service.settled(sent)
        sent += Self.phones
        #expect(try await service.hook(["kind": "problem"]).status == 202)
        #expect(await service.pushServer.wait(for: sent, patience: .seconds(60)).count == sent)
      }
      try await service.settled(sent)
      for scraper in scrapers { scraper.cancel() }
      for scraper in scrapers {
        let scrapes = await scraper.value
        #expect(scrapes > Self.rounds)
      }
      #expect(service.pushServer.messages.count == sent)
    }
  }
}

extension TestService {
  /// Waits until so many wakes of ours were accepted.
  fileprivate func settled(_ count: Int) async throws {
    let series = "wake_wakes_total{outcome=\"accepted\",push_server=\"\(pushServer.origin)\"}"
    try await eventually { try ExpositionText(await metricsText())[series] == Double(count) }
  }
}
