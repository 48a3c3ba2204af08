internal import EndpointRegistry
internal import HTTPListener

/// The stream of a stack's alerts, for as long as a companion listens.
struct EventRoutes: Sendable {
  let store: any RegistryStore
  let feeds: AlertFeeds

  var routes: [Route] {
    [Route("GET", "/v1/stacks/{stack}/events", access: .stack([.device]), handler: events)]
  }

  @Sendable private func events(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    guard let caller = context.caller, case .device(let device, let stack) = caller.credential else {
      throw Problem(.forbidden, "This needs a device's token.")
    }
    // An empty field is none; one that is there wins over the query.
    let field = context.request.header("Last-Event-ID").flatMap { $0.isEmpty ? nil : $0 }
    let cursor = field ?? query["after"]
    let (reader, feed) = feeds.open(stack, device, caller.token)
    let replay = EventReplay(store: store, feed: feed, reader: reader)
    do throws(RegistryError) {
      let newest = try await replay.open(cursor)
      Task { if let cursor { await replay.run(after: cursor) } else { await replay.run(after: newest) } }
    } catch {
      reader.stream.cut()
      throw Problem(error)
    }
    return HTTPResponse(status: 200, headers: Self.fields, stream: reader.stream)
  }

  private static let fields = [
    ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
    // nginx and its kin: hand every piece on at once.
    ("X-Accel-Buffering", "no"),
  ].map { (name: $0.0, value: $0.1) }
}
