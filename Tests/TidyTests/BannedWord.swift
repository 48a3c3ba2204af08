/// Something that is not written in `Sources`, and what is written instead.
struct BannedWord: Sendable {
  let word: String
  let remedy: String
  /// Whether the word is looked for in comments and strings as well.
  let everywhere: Bool
  /// Whether a module is bound by this rule.
  let binds: @Sendable (_ module: String) -> Bool

  init(
    _ word: String, _ remedy: String, everywhere: Bool = false,
    in binds: @escaping @Sendable (_ module: String) -> Bool = { _ in true }
  ) {
    self.word = word
    self.remedy = remedy
    self.everywhere = everywhere
    self.binds = binds
  }

  private static let clock = "below WakeServer the time is a parameter: take it as milliseconds since 1970"
  private static let belowTheServer: @Sendable (String) -> Bool = { Architecture.belowTheServer.contains($0) }
  private static let output = "log through the logger, or return the text: only the command line prints"

  static let all: [BannedWord] = [
    BannedWord("try!", "use try, and throw the module's error"),
    BannedWord("@unchecked Sendable", "keep the state in a Mutex or an actor, or on a thread that owns it"),
    BannedWord("nonisolated(unsafe)", "keep the state in a Mutex, or make it a let"),
    BannedWord(
      "TODO", "do it, or open an issue and say in a sentence what the code does today", everywhere: true),
    BannedWord(
      "FIXME", "mend it, or open an issue and say in a sentence what the code does today", everywhere: true),
    BannedWord("print(", output, in: { !["wake", "StandIns"].contains($0) }),
    BannedWord("debugPrint(", output),
    BannedWord("dump(", output),
    BannedWord("Date()", clock, in: belowTheServer),
    BannedWord("Date.now", clock, in: belowTheServer),
    BannedWord("gettimeofday(", clock, in: belowTheServer),
    BannedWord("CLOCK_REALTIME", clock, in: belowTheServer),
    BannedWord("JSONDecoder", "use StrictJSON: JSONDecoder ends the process on deep nesting"),
    BannedWord("JSONSerialization", "use StrictJSON: one parser, and one set of limits"),
    BannedWord("URLSession", "use HTTPClient, or PushDelivery for what goes to a push server"),
  ]

  /// Where this word stands in `file`.
  func findings(in file: SourceFile) -> [Finding] {
    guard binds(file.module) else { return [] }
    return (everywhere ? file.lines : file.code).filter { Self.contains($0.text, word) }.map {
      Finding(path: file.path, line: $0.line, remedy: "\(word): \(remedy)")
    }
  }

  /// Whether `word` stands in `line` as itself: not as the end of a longer name, nor as a member of something else.
  static func contains(_ line: String, _ word: String) -> Bool {
    var rest = Substring(line)
    while let range = rest.firstRange(of: word) {
      let before = line[..<range.lowerBound]
      let isPart = before.last.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
      let isDeclaration = before.hasSuffix("func ")
      let after = line[range.upperBound...].first
      let goesOn =
        (word.last?.isLetter ?? false) && (after.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
      if !isPart, !isDeclaration, !goesOn { return true }
      rest = line[range.upperBound...]
    }
    return false
  }
}
