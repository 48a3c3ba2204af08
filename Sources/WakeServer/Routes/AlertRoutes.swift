internal import EndpointRegistry
internal import HTTPListener
internal import StrictJSON

/// The send hook, and the record that companions read.
struct AlertRoutes: Sendable {
  let store: any RegistryStore
  let hook: SendHook

  var routes: [Route] {
    [
      Route("POST", "/v1/stacks/{stack}/alerts", access: .stack([.hook]), limit: .hook, handler: raise),
      Route("GET", "/v1/stacks/{stack}/alerts", access: .stack([.device, .hook]), handler: list),
    ]
  }

  @Sendable private func raise(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let request = try AlertRequest(context.object())
    return try await hook.raise(request, for: context.stack, at: context.at)
  }

  @Sendable private func list(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    let limit = try query.limit()
    let cursor = query["after"]
    let stack = try await store.existing(context.stack)
    let page = try await registry { () async throws(RegistryError) in
      try await store.alerts(of: stack.id, after: cursor, limit: limit)
    }
    return .json([
      "kinds": Presentation.names(stack.kinds),
      "catalogueVersion": .string(stack.catalogueVersion),
      "retention": Presentation.retention,
      "alerts": .array(page.alerts.map(Presentation.alert)),
      "next": Presentation.text(page.next?.text),
      "gap": Presentation.gap(page.gap),
    ])
  }
}
