internal import PushDelivery

/// Whom limits by address are for: an IPv4 address, or of an IPv6 one the network that a household or a machine has to
/// itself (RFC 6177), in which it may take any.
struct ClientNetwork: Hashable, Sendable {
  /// Bits of an IPv6 address.
  static let bits = 64

  private let block: AddressBlock?

  /// Without an address all are one: those that came through a Unix socket.
  init(_ client: IPAddress?) {
    let client = client?.unmapped
    block = client.flatMap {
      AddressBlock(containing: $0, prefixLength: $0.isIPv6 ? Self.bits : $0.octets.count * 8)
    }
  }

  /// For a listener that counts connections; the address itself where it is none.
  static func name(of address: String) -> String {
    IPAddress(parsing: address).flatMap { ClientNetwork($0).block }.map { "\($0.first)/\($0.prefixLength)" }
      ?? address
  }
}
