internal import EndpointRegistry
internal import HTTPListener
internal import StrictJSON

/// What a stack says of itself, and which kinds its core raises.
struct StackRoutes: Sendable {
  let store: any RegistryStore

  var routes: [Route] {
    [
      Route("GET", "/v1/stacks/{stack}", access: .stack([.pairing, .device, .hook]), handler: show),
      Route("PUT", "/v1/stacks/{stack}/kinds", access: .stack([.hook]), handler: setKinds),
    ]
  }

  @Sendable private func show(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    .json(Presentation.stack(try await store.existing(context.stack)))
  }

  @Sendable private func setKinds(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let fields = Fields(object: try context.object())
    guard let kinds = try fields.kinds("kinds") else {
      throw fields.missing("kinds", "send the list of kinds that this stack raises")
    }
    let stack = try context.stack
    let changed = try await registry { () async throws(RegistryError) in
      try await store.setKinds(kinds, of: stack)
    }
    return .json(Presentation.stack(changed))
  }
}

extension RegistryStore {
  /// A stack that must be there, as a problem where it is not.
  func existing(_ id: StackID) async throws(Problem) -> Stack {
    let found = try await registry { () async throws(RegistryError) in try await stack(id) }
    guard let found else { throw Problem(RegistryError.notFound) }
    return found
  }
}
