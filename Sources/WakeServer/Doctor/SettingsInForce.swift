package import StrictJSON

/// The settings that a service works with, as far as they decide how it is reached and how wakes go: no secret, no
/// path of a file.
package struct SettingsInForce: Sendable {
  private let configuration: Configuration
  /// Where it listens; nil where it does not run, and the settings alone tell.
  private let listening: [String]?

  package init(_ configuration: Configuration, listening: [String]? = nil) {
    self.configuration = configuration
    self.listening = listening
  }

  package var json: JSONValue {
    [
      "publicURL": Presentation.text(configuration.publicURL),
      "pushAllow": .array(configuration.pushAllowEntries.map { .string($0) }),
      "listen": .array((listening ?? named).map { .string($0) }),
      "ttlSeconds": Presentation.integer(configuration.timing.ttlSeconds),
      "windowSeconds": Presentation.integer(configuration.timing.windowSeconds),
      "hasContact": .bool(configuration.contact != nil),
      "hasPushCAFile": .bool(configuration.pushCAFile != nil),
      "hasTLS": .bool(configuration.tls != nil),
      "hasProxies": .bool(!configuration.trustedProxies.isEmpty),
      "database": "sqlite", "logFormat": .string(configuration.logFormat?.rawValue ?? "auto"),
      "unknownSettings": .array(configuration.unknownSettings.map { .string($0) }),
    ]
  }

  private var named: [String] {
    var places: [String] = []
    switch configuration.listen {
    case .address(let address): places.append(address.placeWithoutPath)
    case .systemd: places.append("systemd")
    }
    return places
      + [configuration.adminListen, configuration.metricsListen].compactMap { $0?.placeWithoutPath }
  }
}
