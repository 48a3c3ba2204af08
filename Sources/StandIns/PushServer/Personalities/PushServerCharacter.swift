internal import HTTPListener
internal import StrictJSON

/// How one kind of push server behaves.
package struct PushServerCharacter: Sendable {
  /// What it says to a message that it takes.
  let accepting: @Sendable (ReceivedPush) -> HTTPResponse
  /// What it says to a fault; nil where it does not mind.
  let refusing: @Sendable (PushFault, ReceivedPush) -> HTTPResponse?
  /// What endpoints can ask for by name.
  package let conditions: [PushServerCondition]

  /// The condition that a path asks for: the longest name of the first part that has one.
  package func condition(for path: String) -> PushServerCondition? {
    for part in path.split(separator: "/") {
      let named = conditions.filter { PushServerCondition.asks(part, for: $0.name) }
      if let longest = named.max(by: { $0.name.count < $1.name.count }) { return longest }
      if let status = PushServerCondition.status(askedFor: part) { return status }
    }
    return nil
  }
}

extension HTTPResponse {
  /// An answer in JSON.
  static func json(
    _ status: Int, _ body: JSONValue, type: String = "application/json", headers: [(String, String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: headers.map { (name: $0.0, value: $0.1) } + [("Content-Type", type)],
      body: body.serialized())
  }

  /// An answer in a line of text.
  static func text(_ status: Int, _ text: String, headers: [(String, String)] = []) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: headers.map { (name: $0.0, value: $0.1) } + [("Content-Type", "text/plain; charset=utf-8")],
      body: Array("\(text)\n".utf8))
  }
}
