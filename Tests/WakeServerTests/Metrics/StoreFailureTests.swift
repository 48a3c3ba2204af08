import EndpointRegistry
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("Failures of the store, as metrics")
struct StoreFailureTests {
  static let failures: [(RegistryError, String?)] = [
    (.busy, "busy"), (.storageFull, "full"), (.damaged("/store"), "other"),
    (.file(errorNumber: 5, path: "/store"), "other"),
    // What the store rightly refuses is no failure of it.
    (.notFound, nil), (.gone, nil), (.pairingUsed, nil), (.stackExists, nil), (.closed, nil),
  ]

  @Test("they are counted by reason, and what the store rightly refuses is none", arguments: failures)
  func reasons(error: RegistryError, reason: String?) async throws {
    let metrics = ServiceMetrics()
    metrics.storeObserver.failed(error)
    let state = StateReader(clock: .system, steady: .system()) { _ in StoreOverview() }
    let page = try ExpositionText(
      await MetricsPage(metrics: metrics, state: state) { MetricsPage.Depths() }.text(.prometheus))
    for name in ["busy", "full", "other"] {
      #expect(page["wake_store_failures_total{reason=\"\(name)\"}"] == (name == reason ? 1 : 0))
    }
  }

  @Test("a change that fails in the store is told to its observer, once, and so is each commit")
  func observed() async throws {
    try await TestService.with(delivers: false) { service in
      func counts() async throws -> (commits: Double?, failures: Double) {
        let page = try ExpositionText(await service.metricsText())
        let failures = page.series("wake_store_failures_total").compactMap { page[$0] }.reduce(0, +)
        return (page["wake_store_commit_seconds_count"], failures)
      }
      let before = try await counts()
      _ = try await service.hook(["kind": "problem"])
      await #expect(throws: RegistryError.notFound) {
        try await service.store.removeAdminToken("nobody's")
      }
      let after = try await counts()
      #expect(after.commits == before.commits.map { $0 + 2 })
      #expect(after.failures == 0)
    }
  }
}
