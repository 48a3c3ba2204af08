import WakeServer

/// Reads the words of a command line against the table of commands.
struct ArgumentReader {
  /// What a command line asks for.
  enum Request {
    case run(Invocation)
    /// Help on the whole program, or on one command.
    case help(Command?)
    /// Help on the commands that begin with these words.
    case groupHelp([String])
    /// Which program this is.
    case version(isJSON: Bool)
  }

  let commands: [Command]
  let environment: [String: String]
  let workingFolder: String
  /// Reads a whole file as text; nil where it cannot be read.
  let readFile: @Sendable (String) -> String?

  func read(_ words: [String]) throws(CommandError) -> Request {
    guard let first = words.first, !Self.asksForHelp(first) else { return .help(nil) }
    if words == [Option.version.flag] || words == [Option.version.flag, Option.json.flag] {
      return .version(isJSON: words.count == 2)
    }
    if let group = group(first == "help" ? Array(words.dropFirst()) : words, isNamed: first == "help") {
      return .groupHelp(group)
    }
    if first == "help" { return .help(words.count > 1 ? try command(Array(words.dropFirst())).0 : nil) }
    let (command, rest) = try command(words)
    return try read(rest, for: command)
  }

  private static func asksForHelp(_ word: String) -> Bool { word == Option.help.flag || word == "-h" }

  /// The words that several commands begin with and that are none themselves, where help is asked for on them:
  /// `wake help stack`, `wake stack hook-token --help`.
  private func group(_ words: [String], isNamed: Bool) -> [String]? {
    let asks = words.last.map(Self.asksForHelp) == true
    guard isNamed || asks else { return nil }
    let group = asks ? Array(words.dropLast()) : words
    guard !group.isEmpty, !commands.contains(where: { $0.words == group }),
      commands.contains(where: { $0.words.starts(with: group) })
    else { return nil }
    return group
  }

  /// The command that the longest run of words names, and the words behind.
  private func command(_ words: [String]) throws(CommandError) -> (Command, [String]) {
    let named = commands.filter { words.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    if let named { return (named, Array(words.dropFirst(named.words.count))) }
    if words.first?.hasPrefix("-") == true { throw .usage(Self.flagsFirst(flagsBehind(words))) }
    let family = commands.filter { $0.words.first == words.first }.map(\.name)
    throw .usage(
      family.isEmpty
        ? "there is no command `\(words[0])`; `wake --help` lists all"
        : "say which: \(family.map { "`wake \($0)`" }.joined(separator: ", "))")
  }

  private static func flagsFirst(_ corrected: String?) -> String {
    "flags follow the command: \(corrected.map { "write `\($0)`" } ?? "`wake --help` lists all commands")"
  }

  /// The line of a command that stands behind its flags, as it should be; nil where there is no command. Values are left
  /// to their placeholders: an operand can be an endpoint.
  private func flagsBehind(_ words: [String]) -> String? {
    for start in words.indices {
      let behind = words[start...]
      let named = commands.filter { behind.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
      guard let named else { continue }
      let flags = words[..<start].filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
      let written = flags.map { flag in
        let option = (named.options + Self.common(named)).first { $0.flag == flag }
        let placeholder = option?.placeholder ?? Setting.all.first { $0.flag == flag }?.placeholder
        return placeholder.map { "\(flag) \($0)" } ?? flag
      }
      return (["wake", named.name] + named.operands + written).joined(separator: " ")
    }
    return nil
  }

  private func read(_ words: [String], for command: Command) throws(CommandError) -> Request {
    var operands: [String] = []
    var flags: [String: String] = [:]
    var settings: [(Setting, String)] = []
    var rest = words[...]
    var onlyOperands = false
    while let word = rest.popFirst() {
      if onlyOperands || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        onlyOperands = true
      } else if Self.asksForHelp(word) {
        return .help(command)
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let flag = String(parts[0])
        let given = parts.count == 2 ? String(parts[1]) : nil
        if let option = (command.options + Self.common(command)).first(where: { $0.flag == flag }) {
          let value =
            option.placeholder == nil ? try Self.none(flag, given) : try Self.one(flag, given, &rest)
          guard option.repeats || flags[flag] == nil else { throw .usage("\(flag) stands there twice") }
          flags[flag] = flags[flag].map { "\($0),\(value)" } ?? value
        } else if command.takesSettings, let setting = Setting.all.first(where: { $0.flag == flag }) {
          settings.append((setting, try Self.one(flag, given, &rest)))
        } else {
          throw .usage(
            "`wake \(command.name)` has no \(flag); `wake help \(command.name)` lists what it takes")
        }
      }
    }
    try Self.check(operands, of: command)
    let (file, given) = (flags[Option.config.flag], settings)
    let read = { @Sendable [self] () throws(ConfigurationError) in try sources(file: file, given) }
    let readSources = Result(catching: read)
    if case .failure(let error) = readSources, !command.examinesSettings { throw CommandError(error) }
    return .run(
      Invocation(
        command: command, operands: operands, flags: flags, sources: readSources, environment: environment,
        workingFolder: workingFolder, readSettingsAgain: read))
  }

  private static func common(_ command: Command) -> [Option] {
    command.takesSettings ? [command.json, .config] : [command.json]
  }

  private static func none(_ flag: String, _ given: String?) throws(CommandError) -> String {
    guard given == nil else { throw .usage("\(flag) takes no value") }
    return ""
  }

  private static func one(_ flag: String, _ given: String?, _ rest: inout ArraySlice<String>)
    throws(CommandError) -> String
  {
    guard let value = given ?? rest.popFirst() else { throw .usage("\(flag) needs a value") }
    return value
  }

  private static func check(_ operands: [String], of command: Command) throws(CommandError) {
    let most = command.operands.count
    let least = command.operands.count { !$0.hasPrefix("[") }
    guard (least...most).contains(operands.count) else {
      throw .usage(
        "write `wake \(([command.name] + command.operands).joined(separator: " "))`; `wake help \(command.name)` says more"
      )
    }
  }

  private func sources(file: String?, _ settings: [(Setting, String)]) throws(ConfigurationError)
    -> ConfigurationSources
  {
    var sources = ConfigurationSources()
    if let file {
      guard let text = readFile(file) else {
        throw ConfigurationError("--config: \(file) cannot be read")
      }
      try sources.add(file: text, path: file)
    }
    sources.add(environment: environment)
    for (setting, value) in settings { sources.add(flag: setting, value: value) }
    return sources
  }
}
