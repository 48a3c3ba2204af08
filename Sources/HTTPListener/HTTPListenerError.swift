/// Why a listener could not be made.
package enum HTTPListenerError: Error, Equatable, Sendable {
  /// Not `host:port`, `[host]:port` or `unix:/path`; the text says what is wrong.
  case invalidAddress(String)
  /// Somebody listens there already.
  case addressInUse(String)
  /// Something that is not a socket stands at the path.
  case notASocket(String)
  /// A socket that was handed over takes no connections: its descriptor.
  case notListening(Int32)
  /// A call to the system failed: its name and `errno`.
  case system(operation: String, code: Int32)
  /// libmicrohttpd did not start.
  case daemonNotStarted
}

extension HTTPListenerError: CustomStringConvertible {
  /// A line for the operator.
  package var description: String {
    switch self {
    case .invalidAddress(let fault): "not an address to listen on: \(fault)"
    case .addressInUse(let address): "somebody else listens on \(address)"
    case .notASocket(let path): "\(path) exists and is not a socket"
    case .notListening(let descriptor):
      "the socket that was handed over (descriptor \(descriptor)) does not listen: Accept=no and ListenStream= in its unit"
    case .system(let operation, let code): "cannot listen: \(operation) failed: \(SystemCall.message(code))"
    case .daemonNotStarted: "cannot listen: the HTTP library did not start"
    }
  }
}
