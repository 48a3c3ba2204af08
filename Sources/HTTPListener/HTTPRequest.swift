/// One request that has passed the gate, read whole.
package struct HTTPRequest: Sendable {
  /// The method as sent; methods are case-sensitive (RFC 9110 §9.1).
  package var method: String
  /// The target as on the wire: origin form, printable ASCII, still percent-encoded (RFC 9112 §3.2.1).
  package var target: String
  /// The fields in their order; values without the white space around them.
  package var headers: [(name: String, value: String)]
  /// The content, at most `HTTPLimits.bodyOctets`.
  package var body: [UInt8]
  /// The numeric address of the other end, without port; nil on a Unix socket.
  package var peer: String?

  /// A request as a listener would hand it over.
  package init(
    method: String, target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
    peer: String? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
  }

  /// The part of the target before the first `?`, percent-encoded.
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// The part of the target after the first `?`, percent-encoded; nil where there is no `?`.
  package var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The value of the first field `name`, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { HTTPText.isEqualIgnoringCase($0.name, name) }?.value
  }

  /// The values of all fields `name`, whatever its case, in their order.
  package func values(of name: String) -> [String] {
    headers.lazy.filter { HTTPText.isEqualIgnoringCase($0.name, name) }.map(\.value)
  }
}
