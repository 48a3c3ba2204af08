package import EndpointRegistry
package import PushDelivery

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
  /// What was warned of at the start: a line each.
  package var warnings: [String]
  package var probe: ConnectionProbe
  /// A file of authorities that phones trust beside those that this machine does; none but in tests.
  package var phoneCAFile: String?
  /// Before a companion is told that its push server was not reached: as long as the slowest way of not reaching one,
  /// a whole attempt of 10 s, and some room. So the time tells nothing of the network.
  package var unreachedMilliseconds = 12_000

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
      pushCAFile: configuration.pushCAFile, warnings: configuration.warnings)
    pushAllow =
      configuration.pushAllow.origins.sorted() + configuration.pushAllow.blocks.map { "\($0)" }
  }
}

extension Configuration {
  /// What the operator is warned of: it works, and may not be what was meant.
  package var warnings: [String] {
    [pushAllow.warning, expectsTLSElsewhere ? Self.noTLS : nil].compactMap { $0 }
  }

  private static let noTLS =
    "WAKE_PUBLIC_URL is https, and this service speaks plain HTTP: a proxy in front must speak TLS (name it in "
    + "WAKE_TRUSTED_PROXIES), or tls.crt and tls.key are missing from the state folder"
}
