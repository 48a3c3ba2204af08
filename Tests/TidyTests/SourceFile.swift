/// One file of the repository, with what a rule wants to look at.
struct SourceFile: Sendable {
  /// A piece of text and the line where it begins, counted from 1.
  struct Piece: Sendable, Equatable {
    let line: Int
    let text: String
  }

  /// Relative to the top of the repository, with `/`.
  let path: String
  /// The lines as they stand.
  let lines: [Piece]
  /// The lines of a Swift file with comments and the contents of string literals blanked; empty otherwise.
  let code: [Piece]
  /// What stands in the string literals of a Swift file, escapes as written.
  let literals: [Piece]

  init(path: String, text: String) {
    self.path = path
    lines = Self.numbered(text)
    guard path.hasSuffix(".swift") else {
      code = []
      literals = []
      return
    }
    var reader = SwiftReader(text)
    reader.read()
    code = Self.numbered(reader.code)
    literals = reader.literals
  }

  /// The last part of the path.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// `Sources`, `Tests`, `docs` …; empty for a file at the top.
  var area: String { path.contains("/") ? String(path.prefix { $0 != "/" }) : "" }

  /// `PushDelivery` for `Sources/PushDelivery/Topic.swift`; empty for a file that is not so deep.
  var module: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : ""
  }

  private static func numbered(_ text: String) -> [Piece] {
    var pieces = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
      Piece(line: $0.offset + 1, text: String($0.element))
    }
    if pieces.last?.text == "" { pieces.removeLast() }
    return pieces
  }
}
