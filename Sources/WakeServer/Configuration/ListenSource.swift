package import HTTPListener

/// Where the socket of the public listener comes from.
package enum ListenSource: Sendable, Equatable {
  /// The service binds it.
  case address(ListenAddress)
  /// systemd binds it and hands it over: the first one, or the one of this name (`FileDescriptorName=`).
  case systemd(name: String?)

  /// Reads `systemd`, `systemd:NAME`, or an address.
  init(parsing text: String) throws(ConfigurationError) {
    if text == "systemd" {
      self = .systemd(name: nil)
    } else if text.hasPrefix("systemd:"), text.utf8.count > "systemd:".utf8.count {
      self = .systemd(name: String(text.dropFirst("systemd:".count)))
    } else if let address = try? ListenAddress(parsing: text) {
      self = .address(address)
    } else {
      throw ConfigurationError(
        .listen, "must be HOST:PORT, [IPV6]:PORT, unix:/PATH, systemd or systemd:NAME")
    }
  }

  /// Whether it is a Unix socket as far as the setting tells.
  var isUnix: Bool {
    if case .address(.unix) = self { true } else { false }
  }

  /// The descriptor to take over; nil where the service binds the address itself.
  package func descriptor(among handed: HandedSockets) throws(ConfigurationError) -> Int32? {
    guard case .systemd(let name) = self else { return nil }
    guard let first = handed.sockets.first else {
      throw ConfigurationError(
        .listen,
        "says systemd, but systemd handed no socket over: start the service by its socket unit (wake.socket)")
    }
    guard let name else { return first.descriptor }
    guard let socket = handed.sockets.first(where: { $0.name == name }) else {
      let names = handed.sockets.map(\.name).joined(separator: ", ")
      throw ConfigurationError(
        .listen, "names a socket that systemd did not hand over; it handed over: \(names)")
    }
    return socket.descriptor
  }
}
