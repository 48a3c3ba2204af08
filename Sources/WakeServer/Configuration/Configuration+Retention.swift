internal import EndpointRegistry

extension Configuration {
  /// The longest time that can be asked for: a hundred years, so that nothing overflows.
  private static let daysMaximum: Int64 = 36_500
  /// The most rows that can be asked for: more than a disk of a household holds.
  private static let rowsMaximum: Int64 = 1_000_000_000

  /// How long rows are kept, with the service's own numbers where nobody says otherwise.
  static func retention(_ sources: ConfigurationSources) throws(ConfigurationError) -> Retention {
    var retention = Retention()
    func days(_ setting: Setting) throws(ConfigurationError) -> Int64? {
      try number(sources, setting, "days", maximum: daysMaximum).map { $0 * Retention.day }
    }
    retention.attemptMilliseconds = try days(.keepAttemptsDays) ?? retention.attemptMilliseconds
    retention.attemptsPerStack =
      try number(sources, .keepAttempts, "rows", maximum: rowsMaximum).map(Int.init)
      ?? retention.attemptsPerStack
    retention.goneMilliseconds = try days(.keepGoneDays) ?? retention.goneMilliseconds
    retention.pairingMilliseconds = try days(.keepPairingsDays) ?? retention.pairingMilliseconds
    retention.revokedTokenMilliseconds = try days(.keepRevokedDays) ?? retention.revokedTokenMilliseconds
    return retention
  }

  private static func number(
    _ sources: ConfigurationSources, _ setting: Setting, _ unit: String, maximum: Int64
  ) throws(ConfigurationError) -> Int64? {
    guard let text = sources.value(setting) else { return nil }
    guard let number = WholeNumber.parse(text, in: 1...maximum) else {
      throw ConfigurationError(setting, "must be a whole number of \(unit) from 1 to \(maximum)")
    }
    return number
  }
}
