/// An answer that can go out as it is: what the listener itself decides is out of the handler's hands.
struct PreparedResponse: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let content: Content

  enum Content: Sendable {
    case octets([UInt8])
    case stream(HTTPStream)
    /// Content of a length that is not known, which is not sent in answer to HEAD.
    case withheld
  }

  /// Fields that say where a message ends belong to the listener.
  private static let own = ["content-length", "transfer-encoding", "connection"]

  init(_ response: HTTPResponse, closes: Bool, toHead: Bool) {
    let isWellFormed =
      (200...599).contains(response.status)
      && response.headers.allSatisfy { HTTPText.isToken($0.name) && HTTPText.isFieldValue($0.value) }
    // A fault of ours, but maybe one that a stranger's input caused: better an error than a split answer.
    let response = isWellFormed ? response : HTTPResponse(status: 500)
    let closes =
      closes
      || response.headers.contains {
        HTTPText.isEqualIgnoringCase($0.name, "connection") && HTTPText.isEqualIgnoringCase($0.value, "close")
      }
    var headers = response.headers.filter { field in
      !Self.own.contains { HTTPText.isEqualIgnoringCase($0, field.name) }
    }
    if closes { headers.append(("Connection", "close")) }
    status = response.status
    self.headers = headers
    content =
      if response.status == 204 || response.status == 304 {
        .octets([])
      } else if let stream = response.stream {
        toHead ? .withheld : .stream(stream)
      } else {
        .octets(response.body)
      }
  }
}
