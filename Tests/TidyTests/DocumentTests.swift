import Testing

@Suite("Documents")
struct DocumentTests {
  static let documents = Repository.files.filter { $0.path.hasSuffix(".md") }
  static let decisions = documents.filter { $0.path.hasPrefix("docs/adr/") && $0.name != "README.md" }

  static func deadLinks(in file: SourceFile, among documents: [SourceFile], paths: Set<String>) -> [Finding] {
    Markdown.relativeLinks(in: file).compactMap { link in
      let dead = Finding(
        path: file.path, line: link.line, remedy: "the link \(link.text) leads nowhere: mend or remove it")
      guard let target = Markdown.target(of: link.text, from: file), paths.contains(target) else {
        return dead
      }
      guard let mark = link.text.firstIndex(of: "#"),
        let document = documents.first(where: { $0.path == target })
      else { return nil }
      return Markdown.anchors(in: document).contains(String(link.text[link.text.index(after: mark)...]))
        ? nil : dead
    }
  }

  @Test("every relative link leads to a file, and to a heading where it names one")
  func links() {
    let findings = Self.documents.flatMap {
      Self.deadLinks(in: $0, among: Self.documents, paths: Repository.paths)
    }
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("every decision is linked from docs/adr/README.md")
  func index() throws {
    let found = Self.documents.first { $0.path == "docs/adr/README.md" }
    let index = try #require(found, "docs/adr/README.md is missing: write it")
    let linked = Set(Markdown.relativeLinks(in: index).map(\.text))
    let findings = Self.decisions.filter { !linked.contains($0.name) }.map {
      Finding(path: $0.path, line: nil, remedy: "link it from docs/adr/README.md")
    }
    #expect(findings.isEmpty, findings.listed)
  }

  @Test("every decision has its parts, and decisions are numbered without gaps")
  func decisions() {
    let findings = Self.decisions.flatMap { file in
      ["## Context", "## Decision", "## Consequences", "## Alternatives refused"].filter { part in
        !file.lines.contains { $0.text == part }
      }.map { Finding(path: file.path, line: nil, remedy: "the part \"\($0)\" is missing: write it") }
    }
    #expect(findings.isEmpty, findings.listed)
    let numbers = Self.decisions.map { Int($0.name.prefix(4)) }
    #expect(numbers == Array(1...max(1, numbers.count)))
  }

  @Test("every promise has a test beside it, and every test that a document names is there")
  func promises() {
    let tests = Promises.tests(in: Repository.swift(in: "Tests"))
    let promising = Self.documents.filter { Promises.documents.contains($0.path) }
    #expect(promising.count == Promises.documents.count)
    for document in promising {
      let findings = Promises.faults(in: document, tests: tests)
      #expect(findings.isEmpty, findings.listed)
      #expect(Promises.rows(in: document).count > 5, "\(document.path) has no table of promises")
    }
  }

  @Test("a test that is not there, and a promise without one, are found")
  func unheld() {
    let text = """
      **Bold** and `code *of* it` are none, *one sentence* is, and *one that
      is wrapped* too.

      | promise | test |
      |---|---|
      | a | *one sentence*: more |
      | b | *another one* |
      | c *one sentence* | each of these |

      | | figure |
      |---|---|
      | d | 7 |
      """
    let document = SourceFile(path: "docs/a.md", text: text)
    let held = SourceFile(
      path: "Tests/a.swift",
      text: "@Suite(\"one sentence\")\n@Test(\n  \"one that is wrapped\", arguments: [\"another one\"])")
    let tests = Promises.tests(in: [held])
    #expect(tests == ["one sentence", "one that is wrapped"])
    #expect(Promises.rows(in: document).map(\.line) == [6, 7, 8])
    #expect(Promises.faults(in: document, tests: tests).map(\.line) == [7, 8])
    #expect(Promises.faults(in: document, tests: ["one sentence"]).map(\.line) == [1, 7, 8])
  }

  @Test(
    "what every repository of this kind has is there",
    arguments: [
      "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/ARCHITECTURE.md",
      "docs/COMPANION.md", "docs/GLOSSARY.md", "docs/privacy.md",
    ])
  func completeness(path: String) {
    let isThere = Repository.paths.contains(path)
    #expect(isThere, "\(path) is missing: write it")
  }

  @Test("docs/ARCHITECTURE.md lists the modules, in order, and what each may import")
  func architecture() throws {
    let found = Repository.files.first { $0.path == "docs/ARCHITECTURE.md" }
    let document = try #require(found, "docs/ARCHITECTURE.md is missing: write it")
    let rows = document.lines.compactMap { line -> (name: String, imports: Set<String>)? in
      guard let row = line.text.wholeMatch(of: /\| `(\w+)` \| .* \| ([\w, ]+) \|/) else { return nil }
      return (String(row.output.1), Set(row.output.2.split(separator: ", ").map(String.init)))
    }
    #expect(rows.map(\.name) == Architecture.modules.map(\.name))
    for (row, module) in zip(rows, Architecture.modules) {
      #expect(row.imports == module.ours.union(module.c), "\(module.name)")
    }
  }

  @Test("a link is found unless it stands in code or leads to another host")
  func reading() {
    let text = """
      [a](b.md) and [c](../d/e.md#f-g "title"), `[h](i.md)`, [j](https://host.example/k)
      ```
      [l](m.md)
      ```
      ![n](<o.svg>)
      """
    let file = SourceFile(path: "docs/p/q.md", text: text)
    #expect(Markdown.relativeLinks(in: file).map(\.text) == ["b.md", "../d/e.md#f-g", "o.svg"])
    #expect(Markdown.target(of: "../d/e.md#f", from: file) == "docs/d/e.md")
    #expect(Markdown.target(of: "#f", from: file) == "docs/p/q.md")
    #expect(Markdown.target(of: "../../../r", from: file) == nil)
  }

  @Test("a link to a file or a heading that is not there is found")
  func dead() {
    let text = "# One two: three\n[a](#one-two-three) [b](#four) [c](gone.md) [d](../docs)"
    let file = SourceFile(path: "docs/a.md", text: text)
    let findings = Self.deadLinks(in: file, among: [file], paths: ["docs/a.md", "docs"])
    #expect(findings.map(\.line) == [2, 2])
  }
}
