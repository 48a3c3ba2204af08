internal import EndpointRegistry
internal import HTTPListener
internal import StrictJSON

/// `/healthz`, `/readyz` and the closed list.
struct HealthRoutes: Sendable {
  let store: any RegistryStore
  let visits: DoctorVisits

  var routes: [Route] {
    [
      Route("GET", "/healthz", door: nil, access: .anyone) { [visits] context in
        // The doctor, which finds out whether the public URL leads here.
        if let word = (try? Query(context.request.query))?[DoctorVisits.member] { visits.note(word) }
        return .json(["status": "ok"])
      },
      Route("GET", "/readyz", door: nil, access: .anyone) { [store] _ in await Self.readiness(of: store) },
      Route("GET", "/v1/kinds", door: nil, access: .anyone) { _ in .json(Presentation.catalogue) },
    ]
  }

  /// 503 names the check that failed, and nothing else.
  private static func readiness(of store: any RegistryStore) async -> HTTPResponse {
    do throws(RegistryError) {
      try await store.check()
      return .json(["status": "ready"])
    } catch {
      var problem = Problem(.unavailable, "The store does not answer.")
      problem.extensions = [("failing", "store")]
      problem.headers = [("Retry-After", "\(Problem.retryAfterSeconds)")]
      return problem.response
    }
  }
}
