package import WebPushCrypto

/// Where push may go: the one guard for registrations, wakes and tests.
///
/// By default only https to public addresses, on port 443 or 1024 and above. It judges twice: the text of an
/// endpoint alone, when it is registered and again when it is used (names are not resolved), and each
/// address, when a connection is about to be made.
///
/// What `WAKE_PUSH_ALLOW` opens:
/// - A named origin skips every rule but those of form, for that origin alone, and but one: whoever listens where
///   this service does is this service, whatever name it was given.
/// - A block opens its addresses. A literal address in a block may have plain http and a low port. A name
///   cannot be judged before it is resolved: where any block is named, names with plain http, with a low port,
///   of a single label or of a local domain pass by their text (`localhost` only if a block has a loopback
///   address), and all their addresses must then lie in a block at the time of sending. A name that needs no
///   opening may have public addresses, addresses in a block, or both.
package struct AddressPolicy: Sendable {
  /// UnifiedPush, server specification: an endpoint is at most 1000 octets long.
  package static let endpointLengthMaximum = 1_000
  /// Ports below belong to services that speak other protocols; 443 is https itself.
  static let unprivilegedPortMinimum = 1_024

  private let allow: PushAllowList
  private let ownListeners: OwnListeners

  /// A policy with what the operator allows beyond the default, and where the service itself listens.
  package init(allow: PushAllowList = PushAllowList(), ownListeners: OwnListeners = .none) {
    self.allow = allow
    self.ownListeners = ownListeners
  }

  /// Judges the text of an endpoint; what is returned has it byte for byte, and its origin.
  package func endpoint(from url: String) throws(EndpointRefusal) -> Endpoint {
    Endpoint(validatedURL: url, origin: try destination(from: url).origin)
  }

  /// Judges the text of an endpoint and returns its parts.
  package func destination(from url: String) throws(EndpointRefusal) -> Destination {
    let destination = try DestinationParser.parse(url)
    if isNamed(destination) { return destination }
    switch destination.host {
    case .address(let address):
      if allow.contains(address) { return destination }
      if let opening = opening(for: destination) { throw opening }
      if let kind = SpecialPurposeAddresses.denial(of: address) { throw .address(kind: kind) }
    case .name(let name):
      guard let opening = opening(for: destination) else { return destination }
      guard !allow.blocks.isEmpty else { throw opening }
      if SpecialUseNames.isLocalhost(name), !allow.contains(.loopback4), !allow.contains(.loopback6) {
        throw opening
      }
    }
    return destination
  }

  /// Judges an address that a connection to `destination` would go to; nil where it may.
  package func refusal(of address: IPAddress, for destination: Destination) -> AddressRefusal? {
    if ownListeners.contains(address, port: destination.port) { return .ownListener }
    if isNamed(destination) { return nil }
    if allow.contains(address) { return nil }
    if opening(for: destination) != nil { return .outsideBlocks }
    return SpecialPurposeAddresses.denial(of: address).map { .notPublic(kind: $0) }
  }

  /// Whether a connection to `address` may be made for `destination`.
  package func permits(_ address: IPAddress, for destination: Destination) -> Bool {
    refusal(of: address, for: destination) == nil
  }

  private func isNamed(_ destination: Destination) -> Bool { allow.origins.contains(destination.origin) }

  /// What only a named origin or a block makes good; nil where nothing has to be.
  private func opening(for destination: Destination) -> EndpointRefusal? {
    if destination.scheme == .http { return .plainHTTP }
    if destination.port != 443, destination.port < Self.unprivilegedPortMinimum { return .lowPort }
    if case .name(let name) = destination.host, SpecialUseNames.isLocal(name) { return .localName }
    return nil
  }
}

extension IPAddress {
  fileprivate static let loopback4 = IPAddress(isIPv6: false, high: 0, low: 0x7f00_0001)
  fileprivate static let loopback6 = IPAddress(isIPv6: true, high: 0, low: 1)
}
