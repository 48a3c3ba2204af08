internal import EndpointRegistry
internal import HTTPListener
internal import StrictJSON

/// Pairing codes, through the admin door: as `wake pair` makes them.
struct PairingRoutes: Sendable {
  let store: any RegistryStore
  let address: PairingAddress

  var routes: [Route] {
    [
      .forOperator("POST", "/v1/admin/stacks/{stack}/pairings", make),
      .forOperator("GET", "/v1/admin/pairings", list),
      .forOperator("DELETE", "/v1/admin/pairings/{pairing}", withdraw),
    ]
  }

  @Sendable private func make(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let stack = try await store.existing(context.stack)
    let expiresAt = context.at + Limits.pairingMilliseconds
    // First what may fail: a code that nobody sees would be of no use.
    let link = try link(of: stack, expiresAt: expiresAt)
    let code = try await registry { () async throws(RegistryError) in
      try await store.addPairing(stack: stack.id, at: context.at, expiresAt: expiresAt)
    }
    return .json(
      Presentation.pairing(code, uri: link?(code), stack: stack.id, expiresAt: expiresAt), status: 201)
  }

  /// How a code becomes a link; nil where nobody said how companions reach the service.
  private func link(of stack: Stack, expiresAt: Int64) throws(Problem) -> ((Token) -> String)? {
    guard let baseURL = address.baseURL else { return nil }
    let fingerprint: String?
    do throws(CertificateFileError) { fingerprint = try address.fingerprint() } catch {
      var problem = Problem(
        .internalError, "The service's certificate cannot be read. The service's log says more.")
      problem.cause = "\(error)"
      throw problem
    }
    return { code in
      PairingLink(
        baseURL: baseURL, stack: stack.id.text, vapidPublicKey: stack.vapidPublicKey,
        fingerprint: fingerprint, code: code.text, expires: expiresAt / 1_000
      ).uri
    }
  }

  @Sendable private func list(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    let query = try Query(context.request.query)
    let limit = try query.limit()
    let stack = try query.identifier("stack", "the id of a stack", StackID.init)
    let after = try query.cursor(PairingID.init)
    let open = try await registry { () async throws(RegistryError) in
      try await store.openPairings(of: stack, after: after, limit: limit, at: context.at)
    }
    return .json([
      "pairings": .array(open.map(Presentation.openPairing)),
      "next": open.count == limit ? Presentation.text(open.last?.id.text) : .null,
    ])
  }

  @Sendable private func withdraw(_ context: RouteContext) async throws(Problem) -> HTTPResponse {
    guard let id = context.parameters["pairing"].flatMap(PairingID.init) else {
      throw Problem(RegistryError.notFound)
    }
    try await registry { () async throws(RegistryError) in
      try await store.removePairing(id, at: context.at)
    }
    return .noContent
  }
}
