internal import EndpointRegistry
internal import HTTPListener
internal import KindCatalogue
internal import StrictJSON

/// What a stack says of itself, and which kinds its core raises.
struct StackRoutes: Sendable {
  let store: any RegistryStore

  var routes: [Route] {
    [
      Route("GET", "/v1/stacks/{stack}", access: .stack([.pairing, .device, .hook]), handler: show),
      Route(
        "PUT", "/v1/stacks/{stack}/kinds", access: .stack([.hook]), limit: .hook, handler: setKinds),
      Route("GET", "/v1/stacks/{stack}/delivery", access: .stack([.hook]), handler: delivery),
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
    let quiet = try Self.quiet(fields)
    let stack = try context.stack
    let changed = try await registry { () async throws(RegistryError) in
      if let quiet { _ = try await store.setQuiet(quiet, of: stack) }
      return try await store.setKinds(kinds, of: stack)
    }
    return .json(Presentation.ownStack(changed))
  }

  /// The kinds that wake nobody unless an alert asks. A finished job may be one; whatever else happens, a core that
  /// means to be heard must not have to ask.
  private static func quiet(_ fields: Fields) throws(Problem) -> [Kind]? {
    guard let quiet = try fields.kinds("quiet") else { return nil }
    guard quiet.allSatisfy(\.mayBeQuiet) else {
      throw fields.invalid(
        "quiet",
        "may name these alone: \(Kind.allCases.filter(\.mayBeQuiet).map(\.name).joined(separator: ", "))")
    }
    return quiet
  }

  /// Configured, sent, confirmed and failing, and why, as different things.
  @Sendable private func delivery(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let stack = try context.stack
    let delivery = try await registry { () async throws(RegistryError) in
      try await store.delivery(of: stack, at: context.at)
    }
    return .json(Presentation.delivery(delivery))
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
