import Foundation
import PushDelivery
import WebPushCrypto

extension FuzzTarget {
  /// The text of an endpoint. What the default policy accepts leads where every other reader says it leads, and its
  /// origin says the same.
  static let endpoint = FuzzTarget("endpoint", lengthMaximum: 1_024) { octets in
    let text = String(decoding: octets, as: UTF8.self)
    let policy = AddressPolicy()
    guard let destination = try? policy.destination(from: text) else {
      try require((try? policy.endpoint(from: text)) == nil, "two ways to judge an endpoint differ")
      return
    }
    let endpoint = try policy.endpoint(from: text)
    try require(endpoint.url == text, "an endpoint is not kept octet for octet")
    try require(text.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "an endpoint is not printable ASCII")
    try require(destination.scheme == .https, "plain http is accepted")
    try require(
      destination.port == 443 || (1_024...65_535).contains(destination.port), "a privileged port is accepted")
    try require(destination.target.hasPrefix("/"), "the request target is no path")
    try require(endpoint.origin == destination.origin, "an endpoint has two origins")
    let again = try policy.destination(from: destination.origin)
    try require(again.origin == destination.origin, "an origin reads as another origin")
    try require(again.host == destination.host, "an origin leads elsewhere")
    if case .address(let address) = destination.host {
      try require(!PrivateRanges.contain(address), "an address that is not public is accepted")
    }
    try agree(text, destination)
  }

  /// What Foundation's reader makes of the same text.
  private static func agree(_ text: String, _ destination: Destination) throws {
    guard let other = URLComponents(string: text), var host = other.encodedHost?.lowercased() else { return }
    if host.hasSuffix(".") { host.removeLast() }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let isSame =
      switch destination.host {
      case .name(let name): name == host
      case .address(let address): IPAddress(parsing: host) == address
      }
    try require(isSame, "another reader reads another host")
    try require((other.port ?? 443) == destination.port, "another reader reads another port")
  }
}
