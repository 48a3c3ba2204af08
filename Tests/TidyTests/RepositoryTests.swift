import Testing

@Suite("The repository speaks of the product alone")
struct RepositoryTests {
  /// Words of the places where the product is worked on, in pieces so that this file does not hold them; and the
  /// folders that may.
  static let foreign: [(word: String, except: String?)] = [
    ("/" + "work/", nil), ("../" + "shared", ".ci/"), ("/." + "library", nil), ("sub" + "-agent", nil),
    ("sub" + "agent", nil), ("this" + " session", nil), ("next" + " session", nil),
    ("developer" + " session", nil),
    ("pypi" + ".org", nil), ("npmjs" + ".com", nil), ("crates" + ".io", nil),
  ]

  static func foreignWords(in file: SourceFile) -> [Finding] {
    file.lines.flatMap { line in
      let text = line.text.lowercased()
      return foreign.filter { text.contains($0.word) && !($0.except.map(file.path.hasPrefix) ?? false) }.map {
        Finding(
          path: file.path, line: line.line,
          remedy: "\"\($0.word)\" means nothing to who runs the product: leave it out")
      }
    }
  }

  @Test("no line speaks of a workplace")
  func words() {
    #expect(!Repository.files.isEmpty)
    let findings = Repository.files.flatMap(Self.foreignWords)
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("a line that does is found")
  func found() {
    let text = "see \("/" + "Work/")notes\nand \("../" + "shared")"
    #expect(Self.foreignWords(in: SourceFile(path: "README.md", text: text)).map(\.line) == [1, 2])
    #expect(Self.foreignWords(in: SourceFile(path: ".ci/run", text: text)).map(\.line) == [1])
  }
}
