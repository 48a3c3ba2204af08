import Foundation
import StandIns
import Testing

@Suite("docs/PUSHSERVER.md")
struct PushServerDocumentTests {
  private let document: String

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/PUSHSERVER.md").standardizedFileURL
    document = try String(contentsOf: file, encoding: .utf8)
  }

  @Test("it has a row for everybody, and in it all that an endpoint can ask for")
  func personalities() throws {
    for plays in PushServerPersonality.allCases {
      let row = document.split(separator: "\n").first { $0.hasPrefix("| `\(plays.rawValue)` |") }
      let names = plays == .hostile ? [] : plays.character.conditions.map(\.name)
      let text = try #require(row, "\(plays.rawValue)")
      for name in names { #expect(text.contains("`\(name)`"), "\(plays.rawValue): \(name)") }
    }
  }

  @Test("it has a row for every fault and for every check")
  func rows() {
    for fault in HostileFault.allCases { #expect(document.contains("\n| `/\(fault.rawValue)` |")) }
    for part in PushFault.Part.allCases { #expect(document.contains("\n| `\(part.rawValue)` |")) }
  }

  @Test("its script is one that is taken")
  func script() throws {
    let section = try #require(document.range(of: "## Scripts\n\n"))
    let lines = document[section.upperBound...].split(separator: "\n").prefix { $0.hasPrefix("    ") }
    let script = try PushScript(reading: Array(lines.joined(separator: "\n").utf8))
    #expect(script.rules.count == 2 && script.hasFaults)
  }
}
