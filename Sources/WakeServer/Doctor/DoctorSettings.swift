package import EndpointRegistry
package import HTTPListener
package import PushDelivery
package import StrictJSON

/// What the doctor has to know of the configuration.
package struct DoctorSettings: Sendable {
  /// How companions reach the service; nil where nobody said.
  package var publicURL: @Sendable () -> String?
  /// The fingerprint of the service's own certificate where phones pin it: 64 hexadecimal digits. It is read anew.
  package var pinnedFingerprint: @Sendable () -> String?
  /// Where the store lies; nil where it is not looked at.
  package var databasePath: String?
  package var serviceKey: ServiceKeySource?
  /// Further authorities for push servers.
  package var pushCAFile: String?
  /// What `WAKE_PUSH_ALLOW` names.
  package var pushAllow: [String] = []
  /// Where the public listener listens; nil where that is not known.
  package var listening: ListenAddress?
  /// Whether the public listener speaks TLS itself.
  package var speaksTLS = false
  /// Whether a proxy in front is named.
  package var hasProxies = false
  /// The settings in force, which the operator is told beside the findings; nil where they are not known.
  package var inForce: JSONValue?
  /// What was warned of at the start: a line each.
  package var warnings: [String]
  package var probe: ConnectionProbe
  /// A file of authorities that phones trust beside those that this machine does; none but in tests.
  package var phoneCAFile: String?
  /// Before a companion is told that its push server was not reached: as long as the slowest way of not reaching one,
  /// a whole attempt of 10 s, and some room. So the time tells nothing of the network.
  package var unreachedMilliseconds = unreachedMillisecondsUsual
  static let unreachedMillisecondsUsual = 12_000

  package init(
    publicURL: @escaping @Sendable () -> String? = { nil },
    pinnedFingerprint: @escaping @Sendable () -> String? = { nil },
    databasePath: String? = nil, serviceKey: ServiceKeySource? = nil, pushCAFile: String? = nil,
    warnings: [String] = [], probe: ConnectionProbe = ConnectionProbe()
  ) {
    self.publicURL = publicURL
    self.pinnedFingerprint = pinnedFingerprint
    self.databasePath = databasePath
    self.serviceKey = serviceKey
    self.pushCAFile = pushCAFile
    self.warnings = warnings
    self.probe = probe
  }

  /// Those of a configuration.
  package init(_ configuration: Configuration) {
    self.init(
      publicURL: { configuration.publicURL },
      pinnedFingerprint: { (try? configuration.pinnedFingerprint()) ?? nil },
      databasePath: configuration.databasePath, serviceKey: configuration.serviceKey,
      pushCAFile: configuration.pushCAFile,
      warnings: configuration.warningsOfUnknownSettings + configuration.warnings)
    pushAllow = configuration.pushAllowEntries
    if case .address(let address) = configuration.listen { listening = address }
    speaksTLS = configuration.tls != nil
    hasProxies = !configuration.trustedProxies.isEmpty
    inForce = SettingsInForce(configuration).json
  }

  /// The same of a service that listens.
  init(_ configuration: Configuration, at everyone: ListenAddress, and others: [ListenAddress]) {
    self.init(configuration)
    listening = everyone
    inForce =
      SettingsInForce(configuration, listening: ([everyone] + others).map(\.placeWithoutPath)).json
  }
}

extension Configuration {
  /// What the operator is warned of: it works, and may not be what was meant.
  package var warnings: [String] {
    [pushAllow.warning, expectsTLSElsewhere ? Self.noTLS : nil].compactMap { $0 }
  }

  /// A line for each variable that looks like a setting and is none.
  package var warningsOfUnknownSettings: [String] {
    unknownSettings.map { "\($0) is no setting of this program and has no effect" }
  }

  /// What `WAKE_PUSH_ALLOW` names.
  var pushAllowEntries: [String] { pushAllow.origins.sorted() + pushAllow.blocks.map { "\($0)" } }

  private static let noTLS =
    "WAKE_PUBLIC_URL is https, and this service speaks plain HTTP: a proxy in front must speak TLS (name it in "
    + "WAKE_TRUSTED_PROXIES), or tls.crt and tls.key are missing from the state folder"
}
