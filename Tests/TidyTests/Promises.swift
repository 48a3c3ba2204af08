/// The documents that make promises, and the tests that they name beside them.
enum Promises {
  /// Names of suites and of tests stand in italics there, and nothing else does.
  static let documents: Set = ["docs/THREAT_MODEL.md", "docs/privacy.md", "docs/reliability.md"]
  /// What the last column of a table of promises is called.
  private static let headings: Set = ["held by", "test", "suite"]

  /// The sentences of all suites and tests.
  static func tests(in files: [SourceFile]) -> Set<String> {
    Set(
      files.flatMap { file in
        file.lines.map(\.text).joined(separator: "\n")
          .matches(of: /@(?:Suite|Test)\(\s*"((?:[^"\\]|\\.)*)"/).map { String($0.output.1) }
      })
  }

  /// The rows of the tables of promises in a document.
  static func rows(in document: SourceFile) -> [SourceFile.Piece] {
    var (rows, isTable, isOfPromises): ([SourceFile.Piece], Bool, Bool) = ([], false, false)
    for line in Markdown.prose(of: document) {
      guard line.text.hasPrefix("|") else {
        isTable = false
        continue
      }
      if !isTable {
        (isTable, isOfPromises) = (true, headings.contains(lastCell(of: line.text)))
      } else if isOfPromises, line.text.contains(where: { !"|-: ".contains($0) }) {
        rows.append(line)
      }
    }
    return rows
  }

  /// What is named and is no test, and rows that name none.
  static func faults(in document: SourceFile, tests: Set<String>) -> [Finding] {
    func finding(_ line: Int, _ remedy: String) -> Finding {
      Finding(path: document.path, line: line, remedy: remedy)
    }
    let unknown = paragraphs(of: document).flatMap { paragraph in
      italics(in: paragraph.text).filter { !tests.contains($0) }.map {
        finding(paragraph.line, "no suite and no test is called \"\($0)\": name the one that holds this")
      }
    }
    let unheld = rows(in: document).filter { italics(in: lastCell(of: $0.text)).isEmpty }.map {
      finding($0.line, "nothing holds this row: name a test, and write it where there is none")
    }
    return unknown + unheld
  }

  /// Rows of tables each by itself, other lines up to an empty one or a row as one.
  private static func paragraphs(of document: SourceFile) -> [SourceFile.Piece] {
    var paragraphs: [SourceFile.Piece] = []
    var isOpen = false
    for line in Markdown.prose(of: document) {
      let isRow = line.text.hasPrefix("|")
      if isOpen, !isRow, !line.text.isEmpty, let last = paragraphs.popLast() {
        paragraphs.append(.init(line: last.line, text: "\(last.text) \(line.text.drop { $0 == " " })"))
      } else {
        paragraphs.append(line)
      }
      isOpen = !isRow && !line.text.isEmpty
    }
    return paragraphs
  }

  private static func italics(in text: String) -> [String] {
    Markdown.withoutCode(text).replacing("**", with: "").matches(of: /\*([^*]+)\*/).map {
      String($0.output.1)
    }
  }

  private static func lastCell(of row: String) -> String {
    let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropLast()
    return (cells.last ?? "").split(separator: " ").joined(separator: " ")
  }
}
