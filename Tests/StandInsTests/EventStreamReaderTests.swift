import StandIns
import Testing

@Suite("Reading an event stream (WHATWG HTML §9.2.6)")
struct EventStreamReaderTests {
  typealias Event = EventStreamReader.Event
  typealias Item = EventStreamReader.Item

  /// A stream and what it says.
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let octets: [UInt8]
    let items: [Item]
    var lastEventID = ""
    var retry: Int?

    init(_ name: String, _ text: String, _ items: [Item], lastEventID: String = "", retry: Int? = nil) {
      self.init(name, Array(text.utf8), items, lastEventID: lastEventID, retry: retry)
    }

    init(_ name: String, _ octets: [UInt8], _ items: [Item], lastEventID: String = "", retry: Int? = nil) {
      testDescription = name
      self.octets = octets
      self.items = items
      self.lastEventID = lastEventID
      self.retry = retry
    }
  }

  private static func data(_ text: String, id: String = "", event: String = "message") -> Item {
    .event(Event(id: id, event: event, data: text))
  }

  static let examples: [Example] = [
    Example("LF ends a line", "data: a\n\n", [data("a")]),
    Example("CR ends a line", "data: a\r\r", [data("a")]),
    Example("CRLF ends one line", "data: a\r\ndata: b\r\n\r\n", [data("a\nb")]),
    Example("LF and CR are two ends", "data: a\n\r\ndata: b\n\n", [data("a"), data("b")]),
    Example("the three are mixed", "data: a\rdata: b\r\ndata: c\n\r", [data("a\nb\nc")]),
    Example("one space after the colon goes", "data:a\ndata: b\ndata:  c\n\n", [data("a\nb\n c")]),
    Example("a tab after the colon stays", "data:\ta\n\n", [data("\ta")]),
    Example("a field without a colon is empty", "data\n\ndata\ndata\n\n", [data(""), data("\n")]),
    Example("a colon in a value stays", "data: a: b:\n\n", [data("a: b:")]),
    Example("the last LF of data goes, no other", "data: a\ndata:\n\n", [data("a\n")]),
    Example(
      "a comment is no event", ": beat\n:\ndata: a\n:x: y\n\n",
      [.comment(" beat"), .comment(""), .comment("x: y"), data("a")]),
    Example("unknown fields are passed over", "data: a\nDATA: b\n data: c\nfoo: d\nfoo\n\n", [data("a")]),
    Example(
      "the name of an event", "event: alert\ndata: a\n\ndata: b\n\n", [data("a", event: "alert"), data("b")]),
    Example("an empty name is message", "event: alert\nevent:\ndata: a\n\n", [data("a")]),
    Example(
      "without data nothing is dispatched, and its name is forgotten", "event: alert\n\ndata: a\n\n",
      [data("a")]),
    Example(
      "an id stays until another comes", "id: 1\ndata: a\n\ndata: b\n\nid: 2\ndata: c\n\n",
      [data("a", id: "1"), data("b", id: "1"), data("c", id: "2")], lastEventID: "2"),
    Example("an id is kept although nothing is dispatched", "id: 7\n\n", [], lastEventID: "7"),
    Example("an empty id resets", "id: 1\ndata: a\n\nid\ndata: b\n\n", [data("a", id: "1"), data("b")]),
    Example(
      "an id with NUL is passed over", "id: 1\n\nid: 2\0\ndata: a\n\n", [data("a", id: "1")], lastEventID: "1"
    ),
    Example(
      "an event that does not end is dropped, and its id with it", "id: 1\ndata: a\n\nid: 2\ndata: b\n",
      [data("a", id: "1")], lastEventID: "1"),
    Example("a line that does not end is dropped", "data: a\n\ndata: b", [data("a")]),
    Example("retry of digits", "retry: 2500\n\n", [], retry: 2500),
    Example(
      "retry of anything else", "retry: 10\nretry: -1\nretry: 1.5\nretry: 1s\nretry:\nretry: ٣\n\n", [],
      retry: 10),
    Example("retry beyond all numbers", "retry: 99999999999999999999\n\n", []),
    Example("one byte order mark goes", "\u{feff}data: a\n\n", [data("a")]),
    Example("a second one makes another field", "\u{feff}\u{feff}data: a\n\n", []),
    Example("a later one stays", "data: a\n\u{feff}data: b\n\n", [data("a")]),
    Example("characters of several octets", "data: ä€😀\n\n", [data("ä€😀")]),
    Example(
      "a character that is cut off", Array("data: ".utf8) + [0xf0, 0x9f, 0x98, 0x0a, 0x0a], [data("\u{fffd}")]
    ),
    Example(
      "octets that are no UTF-8", Array("data: a".utf8) + [0xff, 0xc0, 0x80] + Array("b\n\n".utf8),
      [data("a\u{fffd}\u{fffd}\u{fffd}b")]),
    Example(
      "a surrogate", Array("data: ".utf8) + [0xed, 0xa0, 0x80, 0x0a, 0x0a], [data("\u{fffd}\u{fffd}\u{fffd}")]
    ),
    Example("empty lines alone", "\n\r\n\r\n\n", []),
  ]

  @Test("each rule", arguments: examples)
  func rule(example: Example) throws {
    var reader = EventStreamReader()
    #expect(try reader.read(example.octets) == example.items)
    #expect(reader.lastEventID == example.lastEventID)
    #expect(reader.retryMilliseconds == example.retry)
  }

  @Test("every way to cut a stream gives the same events", arguments: examples)
  func cuts(example: Example) throws {
    let octets = example.octets
    let whole = 0...octets.count
    // All cuts into three pieces, which are all cuts into two as well; and into single octets.
    for first in whole {
      for second in first...octets.count {
        var reader = EventStreamReader()
        var items: [Item] = []
        for piece in [octets[..<first], octets[first..<second], octets[second...]] {
          items += try reader.read(piece)
        }
        guard items == example.items, reader.lastEventID == example.lastEventID else {
          Issue.record("cut at \(first) and \(second): \(items)")
          return
        }
      }
    }
    var reader = EventStreamReader()
    var items: [Item] = []
    for octet in octets { items += try reader.read([octet]) }
    #expect(items == example.items)
  }

  @Test("an event is there as soon as its empty line is, even where that ends in a CR")
  func atOnce() throws {
    var reader = EventStreamReader()
    #expect(try reader.read(Array("data: a\r\n\r".utf8)) == [Self.data("a")])
    #expect(try reader.read(Array("\ndata: b\r\n\r\n".utf8)) == [Self.data("b")])
  }

  @Test("a new connection begins with the last id of the one before")
  func resumed() throws {
    var reader = EventStreamReader(lastEventID: "e-3")
    #expect(try reader.read(Array("data: a\n\n".utf8)) == [Self.data("a", id: "e-3")])
    #expect(reader.lastEventID == "e-3")
  }

  @Test("a line has its bound, and so has an event of many")
  func bounds() throws {
    let most = EventStreamReader.lineLengthMaximum
    var reader = EventStreamReader()
    let line = Array("data:".utf8) + [UInt8](repeating: 0x61, count: most - 5)
    #expect(try reader.read(line + [10, 10]).count == 1)
    #expect(throws: EventStreamReader.Failure.lineTooLong) { try reader.read(line + [0x61]) }
    var another = EventStreamReader()
    #expect(throws: EventStreamReader.Failure.eventTooLong) {
      for _ in 0...(EventStreamReader.dataLengthMaximum / most + 1) { _ = try another.read(line + [10]) }
    }
  }
}
