/// A wrong value: the program does not start with it.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One line that names the setting, what is wrong and what to write.
  package let description: String

  package init(_ description: String) { self.description = description }

  init(_ setting: Setting, _ rule: String) {
    self.init("\(setting.variable) (\(setting.flag)) \(rule)")
  }
}
