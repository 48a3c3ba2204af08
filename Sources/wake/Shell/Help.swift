import WakeServer

/// What `wake --help`, `wake help GROUP` and `wake help COMMAND` say.
enum Help {
  /// Families of commands that have one line on the program's page, since few need them, and a page of their own.
  static let families = [
    "admin-token": "tokens for the admin listener on TCP",
    "tls": "make or show a certificate of the service's own",
    "service-key": "make a service key, or have a new one open the store",
    "companion": "simulate the app on a phone: pair, receive wakes, read alerts",
  ]

  /// The program on one screen.
  static func program(_ commands: [Command]) -> String {
    var rows: [(String, String)] = []
    for command in commands {
      let family = command.words[0]
      guard let summary = families[family] else {
        rows.append(row(command))
        continue
      }
      let verbs = commands.filter { $0.words[0] == family }.flatMap { $0.words.dropFirst() }
      let line = ("\(family) \(verbs.joined(separator: "|"))", summary)
      if rows.last?.0 != line.0 { rows.append(line) }
    }
    return """
      wake: tells the phone of whoever runs a home server that the server has something to say

      usage: wake COMMAND [OPERANDS] [FLAGS]

      \(columns(rows))

      `wake help COMMAND` says more of one. Every command takes --json.
      STACK is a stack's id, or its label where only one stack has it.
      Exit codes: 0 done, 1 failed, 2 wrong usage, 3 server or store not reached, 4 store unusable or in use.
      """
  }

  /// The commands that begin with these words.
  static func group(_ words: [String], _ commands: [Command]) -> String {
    let name = words.joined(separator: " ")
    return """
      usage: wake \(name) COMMAND [OPERANDS] [FLAGS]

      \(columns(commands.filter { $0.words.starts(with: words) }.map(row)))

      `wake help \(name) COMMAND` says more of one. Every command takes --json.
      """
  }

  /// One command.
  static func command(_ command: Command) -> String {
    var parts = [
      "usage: wake \(([command.name] + command.operands).joined(separator: " "))\(flags(command))",
      command.summary,
    ]
    if !command.discussion.isEmpty { parts.append(command.discussion) }
    let options = command.options + [command.json] + (command.takesSettings ? [.config] : [])
    parts.append(
      "flags:\n" + columns(options.map { ([$0.flag, $0.placeholder ?? ""].joined(separator: " "), $0.help) }))
    if command.takesSettings {
      parts.append(
        "settings (as a flag, a variable of the environment, or a line of the --config file):\n"
          + command.settings.map { "  \($0.flag) \($0.placeholder), \($0.variable)\n      \($0.help)" }
          .joined(separator: "\n"))
      if command.settings.count < Setting.all.count {
        parts.append("Other settings are taken and not used here; `wake help serve` lists all.")
      }
    }
    return parts.joined(separator: "\n\n")
  }

  private static func row(_ command: Command) -> (String, String) {
    (([command.name] + command.operands).joined(separator: " "), command.summary)
  }

  private static func flags(_ command: Command) -> String {
    command.options.map { " [\($0.flag)\($0.placeholder.map { " \($0)" } ?? "")]" }.joined()
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)"
    }.joined(separator: "\n")
  }
}
