package import EndpointRegistry
package import HTTPListener
package import PushDelivery

/// What the service was told, checked: a value of this type can be started with.
package struct Configuration: Sendable {
  package static let defaultListen = "127.0.0.1:8090"
  package static let defaultTTLSeconds = 86_400
  /// The longest that push servers keep a message: four weeks.
  package static let greatestTTLSeconds = 2_419_200
  package static let defaultWindowSeconds = 30

  package let stateFolder: StateFolder
  package let listen: ListenSource
  /// Where `/v1/admin` is served by TCP to who shows an admin token; nil for nowhere.
  package let adminListen: ListenAddress?
  /// Where `/metrics` is served; nil for nowhere.
  package let metricsListen: ListenAddress?
  /// The certificate that the public listener shows, and its key; nil for plain HTTP.
  package let tls: CertificateFiles?
  /// The absolute path of the SQLite store.
  package let databasePath: String
  /// Held by the one server that works on the store.
  package var lockPath: String { "\(FileLink.target(of: databasePath))-serve.lock" }
  /// How companions reach the service, no slash at the end; nil where nobody said, and the address does not tell.
  package let publicURL: String?
  /// Whose word on who calls is believed.
  package let trustedProxies: TrustedProxies
  package let pushAllow: PushAllowList
  package let pushCAFile: String?
  /// The VAPID `sub`, where there is one.
  package let contact: String?
  package let timing: WakeTiming
  package let rates: Rates
  package let serviceKey: ServiceKeySource
  package let retention: Retention
  package let logLevel: Log.Level
  /// How the log is written; nil where that depends on who reads standard error.
  package let logFormat: LogFormat?
  /// Variables of the environment that look like settings and are none.
  package let unknownSettings: [String]

  /// Checks every value.
  ///
  /// - Parameters:
  ///   - environment: where the default state folder, a systemd credential and the home folder are found.
  ///   - workingFolder: what a relative path is relative to; it is made absolute once, here.
  /// - Throws: for the first wrong value, one line that says which and what to write.
  package init(_ sources: ConfigurationSources, environment: [String: String], workingFolder: String)
    throws(ConfigurationError)
  {
    func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : "\(workingFolder)/\(path)" }
    let folder = sources.value(.stateFolder) ?? Self.defaultStateFolder(environment)
    stateFolder = StateFolder(path: absolute(folder))
    let socket = "unix:\(stateFolder.adminSocketPath)"
    _ = try Self.parse(.stateFolder, "is too long a path for the socket in it: choose a shorter one") {
      try ListenAddress(parsing: socket)
    }
    listen = try ListenSource(parsing: sources.value(.listen) ?? Self.defaultListen)
    databasePath = try Self.database(sources.value(.database)).map(absolute) ?? stateFolder.databasePath
    adminListen = try sources.value(.adminListen).map(Self.adminAddress)
    metricsListen = try sources.value(.metricsListen).map(Self.metricsAddress)
    tls = try Self.tls(
      sources, isUseful: !listen.isUnix || adminListen?.isLocal == false, folder: stateFolder,
      absolute: absolute)
    guard adminListen?.isLocal != false || tls != nil else {
      throw ConfigurationError(
        .adminListen,
        "is an address of the network, where admin tokens need TLS: `wake tls init` turns it on; or use 127.0.0.1"
      )
    }
    publicURL = try Self.publicURL(sources.value(.publicURL), listen: listen, isSecure: tls != nil)
    trustedProxies = try sources.value(.trustedProxies).map(TrustedProxies.init(parsing:)) ?? TrustedProxies()
    pushAllow = try Self.allowList(sources.value(.pushAllow) ?? "")
    pushCAFile = sources.value(.pushCAFile).map(absolute)
    contact = try sources.value(.contact).map(Contact.check)
    timing = WakeTiming(
      ttlSeconds: try Self.seconds(
        sources, .ttl, default: Self.defaultTTLSeconds, greatest: Self.greatestTTLSeconds),
      windowSeconds: try Self.seconds(
        sources, .window, default: Self.defaultWindowSeconds, greatest: Limits.windowSeconds))
    serviceKey = try Self.serviceKey(sources, environment, stateFolder, absolute)
    rates = try Self.rates(sources)
    retention = try Self.retention(sources)
    logLevel = try Self.logLevel(sources)
    logFormat = try Self.logFormat(sources)
    unknownSettings = Setting.unknown(in: environment)
  }

  private static func parse<Value>(_ setting: Setting, _ rule: String, _ make: () throws -> Value)
    throws(ConfigurationError) -> Value
  {
    do { return try make() } catch { throw ConfigurationError(setting, rule) }
  }

  private static func defaultStateFolder(_ environment: [String: String]) -> String {
    if let folder = environment["STATE_DIRECTORY"], !folder.isEmpty {
      return String(folder.prefix { $0 != ":" })
    }
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return "\(folder)/wake" }
    return "\(environment["HOME"] ?? "/var/lib")/.local/state/wake"
  }

  private static func database(_ text: String?) throws(ConfigurationError) -> String? {
    guard let text else { return nil }
    guard text.hasPrefix("sqlite:"), text.count > "sqlite:".count else {
      throw ConfigurationError(.database, "must be sqlite:/PATH; other stores are not built yet")
    }
    return String(text.dropFirst("sqlite:".count))
  }

  private static func publicURL(_ text: String?, listen: ListenSource, isSecure: Bool)
    throws(ConfigurationError) -> String?
  {
    guard let text else {
      if case .address(let address) = listen, case .tcp(_, let port) = address, port != 0 {
        return "\(isSecure ? "https" : "http")://\(address)"
      }
      return nil
    }
    let url = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard url.hasPrefix("https://") || url.hasPrefix("http://"),
      !url.contains(where: { " ?#\"".contains($0) })
    else { throw ConfigurationError(.publicURL, "must be a URL: https://HOST or https://HOST/PATH") }
    let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
    guard !authority.contains("@") else {
      throw ConfigurationError(
        .publicURL, "must have no user or password in it, as every phone is told it: https://HOST")
    }
    return url
  }

  private static func allowList(_ text: String) throws(ConfigurationError) -> PushAllowList {
    do {
      return try PushAllowList(parsing: text)
    } catch {
      throw ConfigurationError(.pushAllow, "is not a list of origins or CIDR blocks: \(error)")
    }
  }

  private static func seconds(
    _ sources: ConfigurationSources, _ setting: Setting, default usual: Int, greatest: Int
  ) throws(ConfigurationError) -> Int {
    guard let text = sources.value(setting) else { return usual }
    guard let seconds = WholeNumber.parse(text, in: 0...greatest) else {
      throw ConfigurationError(setting, "must be whole seconds from 0 to \(greatest), digits only")
    }
    return seconds
  }

  private static func serviceKey(
    _ sources: ConfigurationSources, _ environment: [String: String], _ folder: StateFolder,
    _ absolute: (String) -> String
  ) throws(ConfigurationError) -> ServiceKeySource {
    switch (sources.value(.serviceKeyFile), sources.value(.serviceKeyCommand)) {
    case (_?, _?):
      throw ConfigurationError(.serviceKeyCommand, "cannot stand beside a key file: name one of the two")
    case (nil, let command?): return .command(command)
    case (let path?, nil): return .file(absolute(path))
    case (nil, nil):
      if let credentials = environment["CREDENTIALS_DIRECTORY"],
        let credential = ServiceKeySource.systemdCredential(in: credentials)
      {
        return credential
      }
      return .file(folder.serviceKeyPath)
    }
  }
}
