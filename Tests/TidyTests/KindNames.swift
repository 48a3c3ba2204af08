/// A kind's name is known in one place, `Sources/KindCatalogue`; everywhere else a kind is a value.
enum KindNames {
  static let all: Set<String> = ["problem", "completion", "update", "backup", "request", "member"]

  /// Words that mean something else where they stand: the folder or file, the word, and what it means there.
  static let otherMeanings: [(path: String, word: String, meaning: String)] = [
    ("Sources/wake/", "backup", "the command `wake backup`")
  ]

  private static let remedy =
    "a kind's name stands in Sources/KindCatalogue only: take it from Kind, and a list of them from Kind.allCases"

  static func findings(in file: SourceFile) -> [Finding] {
    // The description of the interface is made of a document, and another test holds its list to the kinds.
    guard file.module != "KindCatalogue", file.name != "OpenAPIDocument.swift" else { return [] }
    let literals = file.literals.filter { literal in
      // Alone it is a kind; three of them in one text are the list, written a second time.
      if all.contains(literal.text) {
        return !otherMeanings.contains { file.path.hasPrefix($0.path) && $0.word == literal.text }
      }
      let words = Set(literal.text.split { !$0.isLetter }.map(String.init))
      return words.intersection(all).count >= 3
    }
    let members = file.code.filter { line in
      all.contains { BannedWord.contains(line.text, "Kind.\($0)") }
    }
    return (literals + members).map { Finding(path: file.path, line: $0.line, remedy: remedy) }
  }
}
