import Testing

@Suite("Words and calls that are not written here")
struct WordTests {
  @Test("no banned word or call stands in Sources")
  func banned() {
    let files = Repository.swift(in: "Sources")
    let findings = BannedWord.all.flatMap { word in files.flatMap(word.findings) }
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("no kind's name stands outside KindCatalogue")
  func kinds() {
    let findings = Repository.swift(in: "Sources").flatMap(KindNames.findings)
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("all tests are written for Swift Testing")
  func testingLibrary() {
    let findings = Repository.swift(in: "Tests").flatMap { file in
      file.code.filter { Architecture.imported(by: $0.text) == "XCTest" }.map {
        Finding(path: file.path, line: $0.line, remedy: "scripts/test does not run XCTest: import Testing")
      }
    }
    #expect(findings.isEmpty, findings.listed)
  }

  @Test(
    "a banned word is found in code",
    arguments: [
      ("PushDelivery", "let key = try! load()"),
      ("WakeServer", "final class Cache: @unchecked Sendable {}"),
      ("WakeServer", "// TODO: later"),
      ("HTTPListener", "print(request)"),
      ("EndpointRegistry", "let now = Date()"),
      ("EndpointRegistry", "let text = \"\\(Date())\""),
    ])
  func found(module: String, text: String) {
    let file = SourceFile(path: "Sources/\(module)/File.swift", text: text)
    #expect(BannedWord.all.flatMap { $0.findings(in: file) }.count == 1)
  }

  @Test(
    "what only looks like a banned word is left alone",
    arguments: [
      ("PushDelivery", "// a try! would trap here"),
      ("PushDelivery", "let advice = \"never try! this\""),
      ("wake", "print(answer)"),
      ("HTTPListener", "fingerprint(key)"),
      ("HTTPListener", "func print(_ text: String) {}"),
      ("HTTPListener", "writer.print(text)"),
      ("WakeServer", "let now = Date()"),
      ("WakeServer", "let day = ExpiryDate()"),
      ("WakeServer", "let TODOList = []"),
    ])
  func leftAlone(module: String, text: String) {
    let file = SourceFile(path: "Sources/\(module)/File.swift", text: text)
    #expect(BannedWord.all.flatMap { $0.findings(in: file) } == [])
  }

  @Test(
    "a kind's name is found as a literal, in a list and as a member",
    arguments: [
      "let kind = \"problem\"", "let help = \"problem, completion or backup\"", "raise(Kind.update)",
    ])
  func kindFound(text: String) {
    #expect(KindNames.findings(in: SourceFile(path: "Sources/wake/Help.swift", text: text)).count == 1)
  }

  @Test(
    "a kind's name is left alone as an English word, in a comment, and in the catalogue",
    arguments: [
      ("wake", "let help = \"the update failed\""), ("wake", "// problem"), ("wake", "case \"backup\":"),
      ("KindCatalogue", "case problem = \"problem\""), ("wake", "for kind in Kind.allCases {}"),
    ])
  func kindLeftAlone(module: String, text: String) {
    #expect(KindNames.findings(in: SourceFile(path: "Sources/\(module)/Kind.swift", text: text)) == [])
  }
}
