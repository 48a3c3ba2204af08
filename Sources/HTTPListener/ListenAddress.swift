/// Where a listener listens.
package enum ListenAddress: Sendable, Equatable {
  /// A host, as a literal address or a name, and a port; port 0 lets the system choose.
  case tcp(host: String, port: Int)
  /// An absolute path of a Unix socket.
  case unix(path: String)

  /// Octets of the longest path: `sun_path` of `struct sockaddr_un` on Linux, less the NUL.
  package static let pathOctets = 107

  /// Reads `127.0.0.1:8080`, `localhost:8080`, `[::1]:0` or `unix:/path`.
  package init(parsing text: String) throws(HTTPListenerError) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) || text.hasPrefix("unix:") else {
      throw .invalidAddress("it contains white space or control characters")
    }
    if text.hasPrefix("unix:") {
      self = try Self.unix(parsing: String(text.dropFirst("unix:".count)))
      return
    }
    guard let colon = text.lastIndex(of: ":") else { throw .invalidAddress("write host:port or unix:/path") }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = Int(digits), port <= 65_535
    else { throw .invalidAddress("the port is a number from 0 to 65535") }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { throw .invalidAddress("brackets are for IPv6 addresses") }
    } else if host.contains(":") {
      throw .invalidAddress("an IPv6 address stands in brackets: [::1]:8080")
    }
    guard !host.isEmpty else { throw .invalidAddress("the host is missing: 127.0.0.1 or [::] for instance") }
    self = .tcp(host: String(host), port: port)
  }

  /// Whether only programs of this machine reach it: a Unix socket, or loopback by its literal address or name.
  package var isLocal: Bool {
    switch self {
    case .unix: true
    case .tcp(let host, _): host.hasPrefix("127.") || host == "::1" || host == "localhost"
    }
  }

  private static func unix(parsing path: String) throws(HTTPListenerError) -> ListenAddress {
    guard path.hasPrefix("/") else { throw .invalidAddress("the path of a Unix socket is absolute") }
    guard path.utf8.count <= pathOctets else {
      throw .invalidAddress("the path of a Unix socket has at most \(pathOctets) octets")
    }
    guard !path.utf8.contains(0) else { throw .invalidAddress("a path contains no NUL") }
    return .unix(path: path)
  }
}

extension ListenAddress: CustomStringConvertible {
  /// As `init(parsing:)` reads it.
  package var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}
