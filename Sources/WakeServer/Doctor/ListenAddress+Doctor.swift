internal import HTTPListener

extension ListenAddress {
  /// The same without the path of a Unix socket: names of folders tell who somebody is.
  var placeWithoutPath: String {
    if case .unix = self { "unix" } else { description }
  }

  /// The same port on every address of this machine; nil where it is not of loopback alone.
  var onEveryAddress: ListenAddress? {
    guard isLocal, case .tcp(let host, let port) = self else { return nil }
    return .tcp(host: host.contains(":") ? "::" : "0.0.0.0", port: port)
  }
}
