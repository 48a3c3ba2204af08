internal import EndpointRegistry
internal import HTTPListener

extension WakeService {
  /// Connections to the metrics listener: a scraper or two, and a person.
  private static let scrapers = 32

  /// What the metrics listener shows of this service.
  static func metricsPage(
    _ metrics: ServiceMetrics, store: SQLiteStore, pipeline: WakePipeline, feeds: AlertFeeds,
    clock: WallClock,
    steady: SteadyTime
  ) -> MetricsPage {
    let state = StateReader(clock: clock, steady: steady) { at throws(RegistryError) in
      try await store.overview(at: at)
    }
    return MetricsPage(metrics: metrics, state: state) {
      var depths = MetricsPage.Depths()
      (depths.pipeline, depths.sender, depths.results) = pipeline.waitingCounts
      (depths.writer, depths.readers) = store.waitingCounts
      depths.streams = feeds.count
      return depths
    }
  }

  /// Serves the page, to whoever reaches the socket.
  static func listen(
    on socket: consuming ListenSocket, for page: MetricsPage, log: Log
  ) throws(ServiceError) -> HTTPListener {
    let address = socket.address
    if !address.isLocal {
      log.warning("/metrics on \(address) is for everybody who reaches it: no token is asked for")
    }
    var limits = HTTPLimits()
    limits.connections = scrapers
    limits.connectionsPerAddress = scrapers
    do {
      return try HTTPListener(
        socket: socket, limits: limits, refusal: { page.refuse($0) },
        handler: { await page.respond(to: $0) })
    } catch { throw .cannotStart("\(address): \(error)") }
  }
}
