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
      "\(address) is not public (\(kind)); to reach it, add \(origin) to \(PushAllowList.variable)"
    case .outsideBlocks:
      "\(address) is in no block of \(PushAllowList.variable); to reach it, add \(origin)"
    case .ownListener: "\(address) is where this service itself listens"
    }
  }
}
