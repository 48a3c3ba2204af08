/// Why no connection is made to an address.
package enum AddressRefusal: Equatable, Sendable {
  /// Not a public unicast address: what the registries call it.
  case notPublic(kind: String)
  /// Plain http, a low port or a local name, and the address is in no block that the operator named.
  case outsideBlocks
  /// This service listens there itself.
  case ownListener

  /// What the matter is and what to do, for the operator.
  package func detail(address: IPAddress, origin: String) -> String {
    switch self {
    case .notPublic(let kind):
      "\(address)\(Self.notPublicWords)\(kind)); to reach it, add \(origin) to \(PushAllowList.variable)"
    case .outsideBlocks:
      "\(address)\(Self.outsideBlocksWords); to reach it, add \(origin)"
    case .ownListener: "\(address)\(Self.ownListenerWords)"
    }
  }

  // By these a row is read again.
  static let notPublicWords = " is not public ("
  static let outsideBlocksWords = " is in no block of \(PushAllowList.variable)"
  static let ownListenerWords = " is where this service itself listens"
}
