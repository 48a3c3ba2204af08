internal import EndpointRegistry
internal import StrictJSON

/// The lines of an event stream (WHATWG HTML §9.2.5). Data is compact JSON, in which no line ends.
enum EventText {
  /// A comment, which readers pass over: proof that somebody is still there.
  static let heartbeat = Array(":\n\n".utf8)

  /// An alert, with its id as the place from which to read on.
  static func alert(_ alert: Alert) -> [UInt8] {
    event("alert", id: alert.id, Presentation.alert(alert))
  }

  /// What a stream opens with. An `id` says where a reader without a cursor stands.
  static func hello(_ stack: Stack, id: AlertID?) -> [UInt8] {
    event(
      "hello", id: id,
      [
        "stack": .string(stack.id.text),
        "kinds": Presentation.names(stack.kinds),
        "catalogueVersion": .string(stack.catalogueVersion),
        "vapidPublicKey": .string(stack.vapidPublicKey),
        "retention": Presentation.retention,
        "newest": .string(stack.newest.text),
      ])
  }

  /// Why the cursor could not be honoured.
  static func gap(_ gap: AlertGap) -> [UInt8] { event("gap", id: nil, Presentation.gap(gap)) }

  private static func event(_ name: String, id: AlertID?, _ data: JSONValue) -> [UInt8] {
    let head = (id.map { "id: \($0.text)\n" } ?? "") + "event: \(name)\ndata: "
    return Array(head.utf8) + data.serialized() + Array("\n\n".utf8)
  }
}
