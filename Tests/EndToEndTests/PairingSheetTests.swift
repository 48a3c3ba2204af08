import StrictJSON
import Testing
import WakeServer

@testable import wake

@Suite("wake pair: the QR code")
struct PairingSheetTests {
  /// A terminal that is as large and as colourful as one is expected to be, whatever the tests run in.
  private static let ordinary = ["TERM": "xterm-256color", "NO_COLOR": "", "COLUMNS": ""]

  /// Runs `body` with a state folder that has the stack `home`.
  private func withStack(_ body: (TemporaryFolder) async throws -> Void) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    try await body(state)
  }

  /// The link that stands in an output as text.
  private func link(in output: String) throws -> String {
    let line = output.split(whereSeparator: \.isNewline).first { $0.contains("wake://pair?") }
    return String(try #require(line).drop { $0 == " " })
  }

  @Test(
    "on a terminal it is drawn in colours, and scans to the link on a light and on a dark one",
    .enabled(if: TerminalPicture.missing == nil, "\(TerminalPicture.missing ?? "")"))
  func colour() async throws {
    try await withStack { state in
      let ended = try await Program.wake(["pair", "home"], state: state, Self.ordinary)
        .run(columns: 80, lines: 60)
      #expect(ended.exitCode == 0 && ended.output.contains("\u{1b}["))
      let link = try link(in: ended.output)
      #expect(PairingLink(link) != nil)
      for theme in TerminalPicture.Theme.allCases {
        let picture = try TerminalPicture(ended.output, theme: theme, columns: 80)
        #expect(try await picture.scanned() == [link], "\(theme)")
      }
    }
  }

  @Test(
    "without colours it scans to the link on a dark terminal: NO_COLOR, TERM=dumb, and a pipe",
    .enabled(if: TerminalPicture.missing == nil, "\(TerminalPicture.missing ?? "")"))
  func noColour() async throws {
    try await withStack { state in
      let program = { (change: [String: String]) in
        Program.wake(["pair", "home"], state: state, Self.ordinary.merging(change) { $1 })
      }
      for ended in [
        try await program(["NO_COLOR": "1"]).run(columns: 80, lines: 60),
        try await program(["TERM": "dumb"]).run(columns: 80, lines: 60), try await program([:]).run(),
      ] {
        #expect(ended.exitCode == 0 && !ended.output.contains("\u{1b}"))
        let picture = try TerminalPicture(ended.output, theme: .dark, columns: 80)
        let link = try link(in: ended.output)
        #expect(try await picture.scanned() == [link])
      }
    }
  }

  @Test("where the code is wider than the terminal the link stands alone, and a sentence says why")
  func narrow() async throws {
    try await withStack { state in
      let pair = Program.wake(["pair", "home"], state: state, Self.ordinary)
      var narrow = pair
      narrow.environment["COLUMNS"] = "40"
      for ended in [
        try await pair.run(columns: 40, lines: 60), try await narrow.run(columns: 80, lines: 60),
        try await narrow.run(),
      ] {
        #expect(ended.exitCode == 0 && !ended.output.contains("█") && !ended.output.contains("\u{1b}"))
        #expect(ended.output.contains("this terminal has 40"))
        let link = try link(in: ended.output)
        #expect(PairingLink(link) != nil)
      }
    }
  }

  @Test("where the code is higher than the terminal it is said")
  func low() async throws {
    try await withStack { state in
      let pair = Program.wake(["pair", "home"], state: state, Self.ordinary)
      let (low, high) = (
        try await pair.run(columns: 80, lines: 24), try await pair.run(columns: 80, lines: 60)
      )
      #expect(low.output.contains("make the window higher"))
      #expect(!high.output.contains("make the window higher"))
    }
  }

  @Test("--json draws nothing, on a terminal too")
  func json() async throws {
    try await withStack { state in
      let ended = try await Program.wake(["pair", "home", "--json"], state: state, Self.ordinary)
        .run(columns: 80, lines: 60)
      #expect(try ended.json.object?.names == ["pairing", "code", "uri", "stack", "expiresAt"])
    }
  }

  @Test(
    "a code of any size scans, in colours and without, and a full link has room in 80 columns",
    .enabled(if: TerminalPicture.missing == nil, "\(TerminalPicture.missing ?? "")"),
    arguments: [1, 17, 100, 271, 425, 700])
  func sizes(octets: Int) async throws {
    let text = String((0..<octets).map { Character(UnicodeScalar(UInt8(0x61 + $0 * 7 % 26))) })
    for (colour, theme) in [(true, TerminalPicture.Theme.light), (true, .dark), (false, .dark)] {
      let drawing = TerminalQRCode(try QRCode(text), colour: colour)
      // 425 octets is what a code of 69 modules holds at level L (ISO/IEC 18004, table 7).
      #expect((drawing.columns <= 80) == (octets <= 425))
      let output = drawing.lines.joined(separator: "\n")
      let picture = try TerminalPicture(output, theme: theme, columns: drawing.columns)
      #expect(try await picture.scanned() == [text], "colour: \(colour), \(theme)")
    }
  }

  @Test("a text that no code holds has none, and the sheet says so")
  func tooLong() throws {
    #expect(try QRCode(String(repeating: "a", count: 2_953)).width == 177)
    #expect(throws: QRCode.Failure.tooLong) { try QRCode(String(repeating: "a", count: 2_954)) }
    let link = PairingLink(
      baseURL: "https://wake.example/" + String(repeating: "a", count: 2_900), stack: "first-home",
      vapidPublicKey: "key", fingerprint: nil, code: "code", expires: 0)
    let sheet = PairingSheet(
      link: link, expiresAt: "then", screen: Screen(columns: nil, lines: nil, colour: false))
    #expect(sheet.lines.contains("  \(link.uri)"))
    #expect(sheet.lines.last == "There is no QR code: the link is too long for one.")
  }

  @Test(
    "what a terminal is taken for",
    arguments: [
      ([:], nil, Screen(columns: nil, lines: nil, colour: false)),
      (["COLUMNS": "70"], nil, Screen(columns: 70, lines: nil, colour: false)),
      ([:], (100, 30), Screen(columns: 100, lines: 30, colour: true)),
      (["COLUMNS": "70"], (100, 30), Screen(columns: 70, lines: 30, colour: true)),
      (["COLUMNS": "0"], (100, 30), Screen(columns: 100, lines: 30, colour: true)),
      (["COLUMNS": "wide"], (0, 0), Screen(columns: 80, lines: nil, colour: true)),
      (["NO_COLOR": "0"], (100, 30), Screen(columns: 100, lines: 30, colour: false)),
      (["NO_COLOR": ""], (100, 30), Screen(columns: 100, lines: 30, colour: true)),
      (["TERM": "dumb"], (100, 30), Screen(columns: 100, lines: 30, colour: false)),
    ] as [([String: String], (Int, Int)?, Screen)])
  func terminal(environment: [String: String], size: (Int, Int)?, expected: Screen) {
    let size = size.map { (columns: $0.0, lines: $0.1) }
    #expect(Screen(environment: environment, size: size) == expected)
  }
}
