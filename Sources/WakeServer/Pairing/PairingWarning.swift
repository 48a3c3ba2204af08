internal import Foundation
internal import PushDelivery

/// What speaks against the address in a pairing link, though a link can be made of it.
package enum PairingWarning: Equatable, Sendable {
  /// The phone would look for the service on itself, or nowhere.
  case unreachable(host: String)
  /// What the phone and the service say to each other can be read on the way, tokens first of all.
  case inTheClear(host: String)

  /// The one thing to know about an address; nil where there is nothing to say.
  package init?(baseURL: String) {
    guard let components = URLComponents(string: baseURL), let found = components.host else { return nil }
    let host = found.hasPrefix("[") && found.hasSuffix("]") ? String(found.dropFirst().dropLast()) : found
    if Self.isOfThisMachine(host.lowercased()) {
      self = .unreachable(host: found)
    } else if components.scheme?.lowercased() == "http" {
      self = .inTheClear(host: found)
    } else {
      return nil
    }
  }

  /// One line that says what to do.
  package var line: String {
    switch self {
    case .unreachable(let host):
      """
      no phone reaches this service at \(host): set WAKE_PUBLIC_URL (--public-url) to the address that phones have \
      for it, such as https://wake.example, and pair again
      """
    case .inTheClear(let host):
      """
      over plain http to \(host) the pairing code, the phone's token and all alerts travel in the clear: \
      `wake tls init` makes a certificate, or put a TLS proxy in front and set WAKE_PUBLIC_URL to its https address
      """
    }
  }

  /// Loopback, or the wildcard that a service listens on and nobody can connect to.
  private static func isOfThisMachine(_ host: String) -> Bool {
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    guard let octets = IPAddress(parsing: host)?.octets else { return false }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    if octets.count == 4 || octets.starts(with: mapped) {
      return [0, 127].contains(octets[octets.count - 4])
    }
    return octets.dropLast().allSatisfy { $0 == 0 } && octets[15] <= 1
  }
}
