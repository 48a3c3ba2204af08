internal import HTTPListener

/// What an operator watches the service by.
extension Configuration {
  /// The address of the metrics listener.
  static func metricsAddress(_ text: String) throws(ConfigurationError) -> ListenAddress {
    guard let address = try? ListenAddress(parsing: text) else {
      throw ConfigurationError(.metricsListen, "must be HOST:PORT, [IPV6]:PORT or unix:/PATH")
    }
    return address
  }

  static func logLevel(_ sources: ConfigurationSources) throws(ConfigurationError) -> Log.Level {
    guard let level = Log.Level(rawValue: sources.value(.logLevel) ?? "info") else {
      throw ConfigurationError(.logLevel, "must be debug, info, warning or error")
    }
    return level
  }

  static func logFormat(_ sources: ConfigurationSources) throws(ConfigurationError) -> LogFormat? {
    guard let name = sources.value(.logFormat), name != "auto" else { return nil }
    guard let format = LogFormat(rawValue: name) else {
      throw ConfigurationError(.logFormat, "must be text, json, journal or auto")
    }
    return format
  }
}
