/// A head as the library has parsed it, not yet trusted.
struct RequestHead: Sendable {
  var method: String
  var target: String
  var version: String
  /// Values as they stood on the line, with the white space after them.
  var headers: [(name: String, value: String)]
  var layout: HeadLayout

  /// Whether the content's length is known only at its end.
  var isChunked: Bool { headers.contains { HTTPText.isEqualIgnoringCase($0.name, "transfer-encoding") } }

  /// Why the request goes no further, or nil.
  func refusal(by gate: FramingGate) -> GateRefusal? {
    if let refusal = gate.check(method: method, version: version, target: target, headers: headers) {
      return refusal
    }
    return layout.isSeamless
      ? nil : .badFraming("the head contains NUL, a folded line, a bare line feed or superfluous spaces")
  }

  /// The request, still without content.
  func request(from peer: String?) -> HTTPRequest {
    HTTPRequest(
      method: method, target: target, headers: headers.map { ($0.name, HTTPText.trimmed($0.value)) },
      peer: peer)
  }
}
