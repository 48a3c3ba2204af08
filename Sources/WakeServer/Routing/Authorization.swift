internal import EndpointRegistry
internal import HTTPListener

/// Decides who may call what. Paths of another stack or device look as if they were not there.
struct Authorization: Sendable {
  let store: any RegistryStore

  /// Who calls a route, or why they may not.
  func caller(
    of route: Route, parameters: [String: String], request: HTTPRequest, through door: Door, at: Int64
  ) async throws(Problem) -> Caller? {
    switch route.access {
    case .anyone: return nil
    case .operatorOnly:
      guard door != .admin else { return nil }
      let caller = try await caller(showing: request, at: at)
      guard case .admin = caller.credential else {
        throw Problem(.forbidden, "This needs an admin token (\(Token.Class.admin.rawValue)…).")
      }
      return caller
    case .stack(let classes):
      let caller = try await caller(showing: request, at: at)
      try refuse(caller.credential, unlessOf: parameters["stack"])
      guard classes.contains(caller.credential.tokenClass) else {
        throw Problem(.forbidden, "This needs a token of another class: \(Self.names(of: classes)).")
      }
      return caller
    case .device:
      let caller = try await caller(showing: request, at: at)
      try refuse(caller.credential, unlessOf: parameters["stack"])
      guard case .device(let device, _) = caller.credential else {
        throw Problem(.forbidden, "This needs the device's own token (\(Token.Class.device.rawValue)…).")
      }
      guard device.text == parameters["device"] else { throw Problem(RegistryError.notFound) }
      return caller
    }
  }

  private func caller(showing request: HTTPRequest, at: Int64) async throws(Problem) -> Caller {
    // Of two a proxy in front might have looked at the other.
    let fields = request.values(of: "Authorization")
    guard fields.count == 1, let token = Self.bearerToken(fields[0]) else {
      throw Self.unauthenticated("Send the header field Authorization: Bearer <token>, once.")
    }
    let store = store
    let credential = try await registry { () async throws(RegistryError) in
      try await store.credential(for: token, at: at)
    }
    guard let credential else { throw Self.unauthenticated("This token is not known here.") }
    return Caller(token: token, credential: credential)
  }

  /// 404 where the path is another stack's; 410 where the caller's own registration has ended, 403 where its
  /// pairing code has.
  private func refuse(_ credential: Credential, unlessOf stack: String?) throws(Problem) {
    guard let own = credential.stack, own.text == stack else { throw Problem(RegistryError.notFound) }
    switch credential {
    case .revoked: throw Problem(RegistryError.gone)
    case .pairing(_, .expired): throw Problem(RegistryError.pairingExpired)
    case .pairing(_, .ended): throw Problem(RegistryError.pairingUsed)
    case .hook, .pairing(_, .open), .device, .admin: break
    }
  }

  /// The token of a `Bearer` field (RFC 6750 §2.1); the scheme's case does not matter.
  private static func bearerToken(_ field: String) -> Token? {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return Token(String(parts[1].drop { $0 == " " }))
  }

  private static func unauthenticated(_ detail: String) -> Problem {
    var problem = Problem(.unauthenticated, detail)
    problem.headers = [("WWW-Authenticate", "Bearer")]
    return problem
  }

  private static func names(of classes: Set<Token.Class>) -> String {
    classes.map { "\($0.rawValue)…" }.sorted().joined(separator: " or ")
  }
}

extension Credential {
  /// The stack that the token belongs to; an administrator's belongs to none.
  var stack: StackID? {
    switch self {
    case .hook(let stack), .pairing(let stack, _), .device(_, let stack), .revoked(_, let stack): stack
    case .admin: nil
    }
  }

  var tokenClass: Token.Class {
    switch self {
    case .hook: .hook
    case .pairing: .pairing
    case .device, .revoked: .device
    case .admin: .admin
    }
  }
}

/// Runs a call of the registry, its errors told as the contract tells them.
func registry<Value: Sendable>(
  _ call: () async throws(RegistryError) -> Value
) async throws(Problem) -> Value {
  do { return try await call() } catch { throw Problem(error) }
}
