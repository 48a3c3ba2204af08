import Foundation
import StrictJSON
import Synchronization
import Testing
import WakeServer

@Suite("Lines of the log")
struct LogFormatTests {
  private static let entry = LogEntry(
    at: 1_767_225_600_123, level: .warning, message: "the disk said \"no\" \u{1}",
    fields: [("requestId", "a-1"), ("device", "é")])

  @Test("a line for programs is one JSON object with time, level, message and what it is about")
  func json() throws {
    let line = LogFormat.json.line(Self.entry)
    #expect(!line.contains("\n"))
    let object = try #require(try StrictJSON.parse(Array(line.utf8)).object)
    #expect(object.names == ["time", "level", "message", "requestId", "device"])
    #expect(object["time"] == "2026-01-01T00:00:00.123Z")
    #expect(object["level"] == "warning")
    #expect(object["message"] == "the disk said \"no\" \u{1}")
    #expect(object["requestId"] == "a-1" && object["device"] == "é")
  }

  @Test(
    "a line for the journal begins with the level and has no time",
    arguments: [(Log.Level.debug, 7), (.info, 6), (.warning, 4), (.error, 3)])
  func journal(level: Log.Level, priority: Int) {
    let line = LogFormat.journal.line(
      LogEntry(at: 0, level: level, message: "said", fields: [("attempt", "7")]))
    #expect(line == "<\(priority)>said attempt=7")
  }

  @Test("a line for people has the time of this machine with its offset")
  func text() throws {
    let line = LogFormat.text.line(Self.entry)
    let match = try #require(
      line.wholeMatch(of: /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.123[+-]\d\d:\d\d) warning (.*)/))
    #expect(match.output.2 == "the disk said \"no\" \u{1} requestId=a-1 device=é")
    let formatter = ISO8601DateFormatter()
    formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    let date = try #require(formatter.date(from: String(match.output.1)))
    #expect(abs(date.timeIntervalSince1970 - 1_767_225_600.123) < 0.001)
  }

  @Test("a message of several lines is one, and nothing below the level is written or even made")
  func lines() {
    let lines = Mutex<[String]>([])
    let log = Log(from: .info, format: .journal) { line in lines.withLock { $0.append(line) } }
    func costly() -> String {
      Issue.record("made although nobody reads it")
      return ""
    }
    log.debug(costly(), ["device": costly()])
    log.about(["requestId": "r-1"]).error("first\nsecond\r\nthird", ["device": "d"])
    #expect(lines.withLock(\.self) == ["<3>first second third requestId=r-1 device=d"])
  }

  @Test(
    "the form follows who reads: the journal where it is the journal, text on a terminal, JSON otherwise",
    arguments: [
      ("8:1234", 8, 1_234, false, .journal), ("8:1234", 8, 1_234, true, .journal),
      ("8:1235", 8, 1_234, false, .json), ("9:1234", 8, 1_234, true, .text), ("", 8, 1_234, false, .json),
      ("nonsense", 8, 1_234, true, .text), (nil, 8, 1_234, false, .json), (nil, 8, 1_234, true, .text),
      ("8:1234", nil, nil, false, .json),
    ] as [(String?, UInt64?, UInt64?, Bool, LogFormat)])
  func fitting(stream: String?, device: UInt64?, inode: UInt64?, isTerminal: Bool, format: LogFormat) {
    #expect(
      LogFormat.fitting(journalStream: stream, device: device, inode: inode, isTerminal: isTerminal) == format
    )
  }
}
