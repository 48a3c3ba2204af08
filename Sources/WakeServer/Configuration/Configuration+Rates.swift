extension Configuration {
  /// What one token may ask for, with the contract's own numbers where nobody says otherwise.
  static func rates(_ sources: ConfigurationSources) throws(ConfigurationError) -> Rates {
    var rates = Rates()
    try change(&rates.hook, .rateHook, sources, Rate.perSecond)
    try change(&rates.changes, .rateChanges, sources, Rate.perMinute)
    try change(&rates.tests, .rateTests, sources, Rate.perMinute)
    return rates
  }

  private static func change(
    _ rate: inout Rate?, _ setting: Setting, _ sources: ConfigurationSources, _ make: (Int) -> Rate
  ) throws(ConfigurationError) {
    guard let text = sources.value(setting) else { return }
    // 0 would be either of two opposites, so it is refused.
    guard text != "off" else {
      rate = nil
      return
    }
    guard let count = WholeNumber.parse(text, in: 1...Rate.maximum) else {
      throw ConfigurationError(setting, "must be a whole number from 1 to \(Rate.maximum), or off")
    }
    rate = make(count)
  }
}
