import EndpointRegistry
import TestSupport
import Testing
import WakeServer

@Suite("The number of series is bounded")
struct CardinalityTests {
  private static func page(_ metrics: ServiceMetrics) async throws -> ExpositionText {
    let state = StateReader(clock: .system, steady: .system()) { _ in StoreOverview() }
    return try ExpositionText(
      await MetricsPage(metrics: metrics, state: state) { MetricsPage.Depths() }.text(.openMetrics))
  }

  @Test("the first 32 push servers have names of their own and keep them, all others are one")
  func pushServers() async throws {
    let metrics = ServiceMetrics()
    for round in 1...2 {
      for number in 0..<1_000 { metrics.wakeEnded(.accepted, at: "https://push-\(number).example") }
      let page = try await Self.page(metrics)
      let names = page.values(of: "push_server")
      #expect(names == Set((0..<32).map { "https://push-\($0).example" } + ["other"]))
      for number in 0..<32 {
        let series = "wake_wakes_total{outcome=\"accepted\",push_server=\"https://push-\(number).example\"}"
        #expect(page[series] == Double(round))
      }
      #expect(page["wake_wakes_total{outcome=\"accepted\",push_server=\"other\"}"] == Double(968 * round))
      #expect(page.series("wake_wakes_total").count == 33 * AttemptOutcome.allCases.count)
    }
  }

  @Test("paths and methods that clients make up are one series")
  func requests() async throws {
    try await TestService.with(delivers: false) { service in
      func count() async throws -> Int { try ExpositionText(await service.metricsText()).samples.count }
      _ = try await service.send("GET", "/v1/kinds")
      _ = try await service.send("BREW", "/nothing")
      let before = try await count()
      for number in 0..<50 {
        _ = try await service.send("GET", "/v1/stacks/\(number)-abcdefgh/alerts/\(number)")
        _ = try await service.send("M\(number)", "/v1/kinds")
        _ = try await service.send("GET", "/v1/kinds?\(number)")
      }
      #expect(try await count() == before)
      let page = try ExpositionText(await service.metricsText())
      let none = #"wake_http_requests_total{listener="public",method="other",route="none",status="4xx"}"#
      #expect(page[none] == 101)
      #expect(
        page[#"wake_http_requests_total{listener="public",method="GET",route="/v1/kinds",status="2xx"}"#]
          == 51)
    }
  }
}
