import WakeServer

/// A flag of a command.
struct Option: Sendable {
  /// `--event`.
  let flag: String
  /// What stands for its value in help; nil for a flag that takes none.
  let placeholder: String?
  let help: String
  /// Whether the flag may stand there several times; its values are joined by commas.
  let repeats: Bool

  init(_ flag: String, _ placeholder: String? = nil, repeats: Bool = false, help: String) {
    self.repeats = repeats
    self.flag = flag
    self.placeholder = placeholder
    self.help = help
  }

  static let json = Option("--json", help: "answer with one JSON document")
  /// That of a command which answers for as long as it runs.
  static let jsonLines = Option("--json", help: "answer with one JSON object a line (JSON Lines)")
  static let version = Option("--version", help: "say which version of the program this is")
  static let help = Option("--help", help: "say how the command is used")
  static let config = Option("--config", "FILE", help: "read settings from a file, NAME=VALUE a line")
}

/// One command of the program: what it is called, what it takes, what it does.
struct Command: Sendable {
  /// `stack add`.
  let name: String
  /// What has to stand behind the name, in order: `STACK`, `KIND`.
  let operands: [String]
  /// One line for the list of commands.
  let summary: String
  /// Paragraphs for `wake help COMMAND`.
  let discussion: String
  let options: [Option]
  /// What `--json` comes to.
  let json: Option
  /// Whether it runs with settings that cannot be read, to say what is wrong with them.
  let examinesSettings: Bool
  /// Whether the settings of the service can be given as flags.
  let takesSettings: Bool
  /// Those that make a difference to it, for its help.
  let settings: [Setting]
  let run: @Sendable (Invocation) async throws(CommandError) -> Void

  init(
    _ name: String, _ operands: [String] = [], summary: String, discussion: String = "",
    options: [Option] = [], json: Option = .json, examinesSettings: Bool = false, takesSettings: Bool = true,
    settings: [Setting] = Setting.ofStore,
    run: @escaping @Sendable (Invocation) async throws(CommandError) -> Void
  ) {
    self.name = name
    self.operands = operands
    self.summary = summary
    self.discussion = discussion
    self.options = options
    self.json = json
    self.examinesSettings = examinesSettings
    self.takesSettings = takesSettings
    self.settings = settings
    self.run = run
  }

  var words: [String] { name.split(separator: " ").map(String.init) }
}
