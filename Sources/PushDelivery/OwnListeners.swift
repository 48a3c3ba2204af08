/// Where this service itself listens, so that no endpoint makes it wake itself in a circle.
package struct OwnListeners: Sendable {
  /// One listener.
  package struct Place: Sendable, Hashable {
    /// The address that it is bound to; nil for every address of the machine.
    let address: IPAddress?
    /// 1…65535.
    let port: Int

    /// A listener at `host`, a literal address; the unspecified one, or what cannot be read, is every address.
    package init(host: String, port: Int) {
      let address = IPAddress(parsing: host)?.withoutMapping
      self.address = address.flatMap { $0.isUnspecified ? nil : $0 }
      self.port = port
    }
  }

  private let places: [Int: [Place]]
  private let isOurs: @Sendable (IPAddress) -> Bool

  /// None: nothing is refused on this account.
  package static let none = OwnListeners([]) { _ in false }

  /// Listeners at `places`. `isOurs` tells whether an address is one of this machine, and is asked each time:
  /// interfaces come and go.
  package init(_ places: [Place], isOurs: @escaping @Sendable (IPAddress) -> Bool) {
    self.places = Dictionary(grouping: places, by: \.port)
    self.isOurs = isOurs
  }

  /// Whether a connection to that place would be one to ourselves.
  func contains(_ address: IPAddress, port: Int) -> Bool {
    // Most connections end here.
    guard let places = places[port] else { return false }
    let address = address.withoutMapping
    // Linux takes the unspecified address for loopback.
    if address.isUnspecified { return true }
    return places.contains { $0.address.map { $0 == address } ?? isOurs(address) }
  }
}

extension IPAddress {
  /// `0.0.0.0` or `::`.
  fileprivate var isUnspecified: Bool { high == 0 && low == 0 }

  /// The IPv4 address in an IPv4-mapped one (RFC 4291 §2.5.5.2); any other as it is.
  fileprivate var withoutMapping: IPAddress {
    guard isIPv6, high == 0, low >> 32 == 0xffff else { return self }
    return IPAddress(isIPv6: false, high: 0, low: low & UInt64(UInt32.max))
  }
}
