/// One answer. The listener adds `Content-Length`, `Date` and, where it applies, `Connection`.
package struct HTTPResponse: Sendable {
  /// 200 to 599.
  package var status: Int
  /// The fields in their order. `Content-Length`, `Transfer-Encoding` and `Connection` are the listener's own and
  /// are left out, except that `Connection: close` closes.
  package var headers: [(name: String, value: String)]
  /// The content; not sent in answer to HEAD, nor with 204 and 304.
  package var body: [UInt8]
  /// Where the content comes from bit by bit; `body` is not used then. It goes out in chunks, or by HTTP/1.0 until the
  /// connection closes. In answer to HEAD, and with 204 and 304, the stream ends at once.
  package var stream: HTTPStream?

  /// An answer of a status, fields and content.
  package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer whose content is still to be written.
  package init(status: Int, headers: [(name: String, value: String)] = [], stream: HTTPStream) {
    self.init(status: status, headers: headers)
    self.stream = stream
  }

  /// The value of the first field `name`, whatever its case.
  package func header(_ name: String) -> String? {
    headers.first { HTTPText.isEqualIgnoringCase($0.name, name) }?.value
  }
}

/// Answers requests. It runs on Swift's cooperative pool while the connection is set aside, so it must not block.
package typealias HTTPHandler = @Sendable (HTTPRequest) async -> HTTPResponse
