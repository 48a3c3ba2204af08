/// The values that were given, by where they were given: defaults < file < environment < flags.
package struct ConfigurationSources: Sendable {
  private var values: [String: String] = [:]

  package init() {}

  /// What is set, or nil.
  func value(_ setting: Setting) -> String? { values[setting.variable] }

  /// The files, folders and sockets that are named, as they were written.
  package var paths: [String] {
    Setting.all.compactMap { setting in value(setting).flatMap(setting.path) }
  }

  /// The settings that say something else here than there.
  package func changes(from other: ConfigurationSources) -> [Setting] {
    Setting.all.filter { value($0) != other.value($0) }
  }

  /// Lays the variables of an environment over what is there; an empty one counts as not set.
  package mutating func add(environment: [String: String]) {
    for setting in Setting.all {
      if let value = environment[setting.variable], !value.isEmpty { values[setting.variable] = value }
    }
  }

  /// Lays one flag over what is there.
  package mutating func add(flag setting: Setting, value: String) { values[setting.variable] = value }

  /// Lays a file over what is there: `NAME=VALUE` a line, blank lines and lines that begin with `#` aside.
  ///
  /// - Throws: where a line is of another form or names no setting.
  package mutating func add(file text: String, path: String) throws(ConfigurationError) {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.trimmed
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        throw ConfigurationError("\(path), line \(number + 1): write NAME=VALUE")
      }
      let name = String(parts[0].trimmed)
      guard let setting = Setting.all.first(where: { $0.variable == name }) else {
        throw ConfigurationError("\(path), line \(number + 1): there is no setting of this name")
      }
      values[setting.variable] = String(parts[1].trimmed.unquoted)
    }
  }
}

extension StringProtocol {
  /// Without white space at either end.
  var trimmed: SubSequence {
    let head = drop(while: \.isWhitespace)
    guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return head }
    return head[...last]
  }

  /// Without one pair of double quotes around it.
  var unquoted: Substring {
    let text = Substring(self)
    return text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
      ? text.dropFirst().dropLast() : text
  }
}
