/// Where an endpoint leads, taken apart once: what is judged, resolved, connected to and sent are these parts.
package struct Destination: Sendable, Hashable {
  /// The schemes that push may speak.
  package enum Scheme: String, Sendable, Hashable {
    case https
    case http

    /// The port where none is named.
    var defaultPort: Int { self == .https ? 443 : 80 }
  }

  /// What stands for the host.
  package enum Host: Sendable, Hashable {
    /// Lower case, without a trailing dot.
    case name(String)
    case address(IPAddress)
  }

  /// How it is spoken to.
  package let scheme: Scheme
  /// Who is spoken to.
  package let host: Host
  /// 1…65535.
  package let port: Int
  /// The request target as it goes over the wire, octet for octet: path and query (RFC 9112 §3.2.1).
  package private(set) var target: String

  /// `https://host[:port]`: lower case, no default port, no trailing dot (RFC 6454 §6.2).
  package let origin: String

  init(scheme: Scheme, host: Host, port: Int, target: String) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = target
    let authority = port == scheme.defaultPort ? host.text : "\(host.text):\(port)"
    origin = "\(scheme.rawValue)://\(authority)"
  }

  /// The same push server, and another resource there.
  func with(target: String) -> Destination {
    var other = self
    other.target = target
    return other
  }
}

extension Destination.Host {
  /// The host as it stands in a URL.
  var text: String {
    switch self {
    case .name(let name): name
    case .address(let address): address.urlText
    }
  }
}

extension Destination: CustomStringConvertible, CustomDebugStringConvertible {
  /// The origin alone: the target is a secret.
  package var description: String { origin }
  /// The same.
  package var debugDescription: String { origin }
}
