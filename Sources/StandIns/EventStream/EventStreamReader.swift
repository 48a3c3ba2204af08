/// Reads `text/event-stream` (WHATWG HTML §9.2.6): octets in pieces of any size in, events out.
///
/// Comments are handed out too, since they are how a server shows that it lives. An event that the stream ends in the
/// middle of is never handed out.
package struct EventStreamReader: Sendable {
  /// What the stream says, in its order.
  package enum Item: Sendable, Equatable {
    case event(Event)
    /// A line that began with a colon, without it.
    case comment(String)
  }

  /// One event.
  package struct Event: Sendable, Equatable {
    /// The last event id when the event was dispatched; empty where there is none.
    package let id: String
    /// `message` where the stream names none.
    package let event: String
    /// The lines of data, joined by LF.
    package let data: String

    package init(id: String = "", event: String = "message", data: String) {
      self.id = id
      self.event = event
      self.data = data
    }
  }

  /// A stream that would take more memory than any of our service does.
  package enum Failure: Error, Equatable, Sendable {
    case lineTooLong
    case eventTooLong
  }

  /// Octets of a line: an alert's 16 KiB, each octet escaped to six (`\u0000`), and its frame, twice over.
  package static let lineLengthMaximum = 2 * 6 * 16_384 + 65_536
  /// Octets of an event's data: a few such lines.
  package static let dataLengthMaximum = 4 * lineLengthMaximum

  /// What a reconnect sends as `Last-Event-ID`; empty where there is nothing to send.
  package private(set) var lastEventID: String
  /// The pause before a reconnect that the server asked for last.
  package private(set) var retryMilliseconds: Int?

  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the last octet was a CR: a LF that follows belongs to it.
  private var endsInCR = false
  private var id: String
  private var event = ""
  private var data = ""

  /// A reader of a new connection, which knows the last id of the one before.
  package init(lastEventID: String = "") {
    self.lastEventID = lastEventID
    id = lastEventID
  }

  /// Takes the next octets and returns what became complete with them. After an error the stream is of no use.
  package mutating func read(_ octets: some Sequence<UInt8>) throws(Failure) -> [Item] {
    var items: [Item] = []
    for octet in octets {
      let followsCR = endsInCR
      endsInCR = false
      switch octet {
      case UInt8(ascii: "\n") where followsCR: continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        endsInCR = octet == UInt8(ascii: "\r")
        if let item = try endLine() { items.append(item) }
      default:
        guard line.count < Self.lineLengthMaximum else { throw .lineTooLong }
        line.append(octet)
      }
    }
    return items
  }

  private mutating func endLine() throws(Failure) -> Item? {
    // A CR, a LF and a colon are never part of another character in UTF-8: lines can be decoded one by one.
    var octets = line[...]
    line.removeAll(keepingCapacity: true)
    if isFirstLine, octets.starts(with: Self.byteOrderMark) { octets = octets.dropFirst(3) }
    isFirstLine = false
    guard let colon = octets.firstIndex(of: UInt8(ascii: ":")) else {
      if octets.isEmpty { return dispatch() }
      try take(Self.text(octets), "")
      return nil
    }
    var value = octets[(colon + 1)...]
    if colon == octets.startIndex { return .comment(Self.text(value)) }
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    try take(Self.text(octets[..<colon]), Self.text(value))
    return nil
  }

  private mutating func take(_ field: String, _ value: String) throws(Failure) {
    switch field {
    case "event": event = value
    case "data":
      guard data.utf8.count + value.utf8.count < Self.dataLengthMaximum else { throw .eventTooLong }
      data += value + "\n"
    case "id": if !value.utf8.contains(0) { id = value }
    case "retry":
      if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value) {
        retryMilliseconds = number
      }
    default: break
    }
  }

  private mutating func dispatch() -> Item? {
    lastEventID = id
    defer { (event, data) = ("", "") }
    guard !data.isEmpty else { return nil }
    // The LF behind the last line.
    data.unicodeScalars.removeLast()
    return .event(Event(id: lastEventID, event: event.isEmpty ? "message" : event, data: data))
  }

  /// What is not UTF-8 becomes U+FFFD.
  private static func text(_ octets: ArraySlice<UInt8>) -> String { String(decoding: octets, as: UTF8.self) }

  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]
}
