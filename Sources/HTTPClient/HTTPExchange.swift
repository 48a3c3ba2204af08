/// The answer to one request, whole in memory.
package struct HTTPExchange: Sendable {
  /// The status of the final answer, 200…999.
  package let status: Int
  /// The header fields of the final answer, in order, white space around the values removed.
  package let headers: [(name: String, value: String)]
  /// The body, at most `HTTPClient.bodyLengthMaximum` octets.
  package let body: [UInt8]

  /// An answer.
  package init(status: Int, headers: [(name: String, value: String)], body: [UInt8]) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of that name, in any case of letters (RFC 9110 §5.1).
  package func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }
}
