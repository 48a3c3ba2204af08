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

  @Test("every test that the ledger of privacy names is there, and each of its lines names one")
  func privacy() throws {
    let found = Self.documents.first { $0.path == "docs/privacy.md" }
    let ledger = try #require(found, "docs/privacy.md is missing: write it")
    let tests = Repository.files.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }
      .map { $0.lines.map(\.text).joined(separator: "\n") }
    let findings = ledger.lines.filter { $0.text.hasPrefix("| ") && !$0.text.contains("| held by |") }
      .compactMap { line -> Finding? in
        let name = line.text.firstMatch(of: /"([^"]+)" \|$/).map { String($0.output.1) }
        if let name, tests.contains(where: { $0.contains("\"\(name)\"") }) { return nil }
        return Finding(path: ledger.path, line: line.line, remedy: "name the test that holds this line")
      }
    #expect(findings.isEmpty, findings.listed)
    #expect(ledger.lines.count { $0.text.hasSuffix("\" |") } > 30)
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
