package import EndpointRegistry
package import HTTPListener

/// Which door a request came through.
package enum Door: Sendable {
  /// `WAKE_LISTEN`: companions, cores, everyone.
  case everyone
  /// The Unix socket in the state folder: its owner is the operator.
  case admin
  /// `WAKE_ADMIN_LISTEN`: what the admin door has, for who shows an admin token.
  case adminByToken

  /// Whether it has the routes of another door.
  func opens(_ door: Door?) -> Bool { door == nil || door == self || self == .adminByToken && door == .admin }
}

/// Who may call a route.
package enum Access: Sendable {
  /// Anyone: no token is looked at.
  case anyone
  /// Holders of a token of the stack in the path, of one of these classes.
  case stack(Set<Token.Class>)
  /// The device in the path, by its own token.
  case device
  /// Whoever reached the admin door, or shows an admin token where that is reached by TCP.
  case operatorOnly
}

/// One line of the route table.
package struct Route: Sendable {
  package typealias Handler = @Sendable (RouteContext) async throws(Problem) -> HTTPResponse

  package let method: String
  package let pattern: RoutePattern
  package let door: Door?
  package let access: Access
  /// How often each token may call it; nil where nothing holds it.
  package let limit: RateLimit?
  package let handler: Handler

  /// - Parameter door: the only door that has this route; nil for both.
  package init(
    _ method: String, _ pattern: String, door: Door? = .everyone, access: Access, limit: RateLimit? = nil,
    handler: @escaping Handler
  ) {
    self.method = method
    self.pattern = RoutePattern(pattern)
    self.door = door
    self.access = access
    self.limit = limit
    self.handler = handler
  }
}
