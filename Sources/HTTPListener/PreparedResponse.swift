/// An answer that can go out as it is: what the listener itself decides is out of the handler's hands.
struct PreparedResponse: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  /// Fields that say where a message ends belong to the listener.
  private static let own = ["content-length", "transfer-encoding", "connection"]

  init(_ response: HTTPResponse, closes: Bool) {
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
    body = response.status == 204 || response.status == 304 ? [] : response.body
  }
}
