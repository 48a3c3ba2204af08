internal import CryptoPrimitives
internal import EndpointRegistry
package import HTTPListener

/// What the metrics listener has: one page, for whoever reaches it.
package struct MetricsPage: Sendable {
  package static let path = "/metrics"

  /// What waits at this moment.
  package struct Depths: Sendable {
    package var pipeline = 0
    package var sender = 0
    package var results = 0
    package var writer = 0
    package var readers = 0
    package var streams = 0

    package init() {}
  }

  private let metrics: ServiceMetrics
  private let state: StateReader
  private let depths: @Sendable () -> Depths
  private let random = RandomOctets.system

  package init(metrics: ServiceMetrics, state: StateReader, depths: @escaping @Sendable () -> Depths) {
    self.metrics = metrics
    self.state = state
    self.depths = depths
  }

  /// Answers a request, by its name; HEAD is the listener's to cut short.
  package func respond(to request: HTTPRequest) async -> HTTPResponse {
    named(RequestID(of: request, random), await answer(request))
  }

  /// The answer to what the listener did not let through.
  package func refuse(_ refusal: GateRefusal) -> HTTPResponse {
    named(RequestID(minted: random), Problem(refusal).response)
  }

  private func named(_ id: RequestID, _ response: HTTPResponse) -> HTTPResponse {
    var response = response
    response.headers.append((RequestID.field, id.text))
    return response
  }

  private func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard request.path == Self.path else {
      return Problem(.notFound, "There is one page here: \(Self.path).").response
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      var problem = Problem(.methodNotAllowed, "Use one of these methods: GET, HEAD.")
      problem.headers = [("Allow", "GET, HEAD")]
      return problem.response
    }
    let format = ExpositionFormat(accept: request.header("Accept"))
    return HTTPResponse(
      status: 200, headers: [("Content-Type", format.contentType), ("Cache-Control", "no-store")],
      body: Array(await text(format).utf8))
  }

  /// The page's text.
  package func text(_ format: ExpositionFormat) async -> String {
    let overview = await state.overview()
    var exposition = Exposition(format)
    exposition.write(.build, [.init([Build.version, "\(Build.contract)"], .number(1))])
    metrics.write(to: &exposition)
    StoreOverview.write(overview, to: &exposition)
    write(depths(), to: &exposition)
    ProcessReading.now().write(to: &exposition)
    return exposition.ended()
  }

  private func write(_ depths: Depths, to exposition: inout Exposition) {
    exposition.write(
      .queueDepth,
      [
        ("pipeline", depths.pipeline), ("sender", depths.sender), ("results", depths.results),
        ("writer", depths.writer), ("readers", depths.readers),
      ].map { .init([$0], .number(Double($1))) })
    exposition.write(.streams, [.init([], .number(Double(depths.streams)))])
  }
}
