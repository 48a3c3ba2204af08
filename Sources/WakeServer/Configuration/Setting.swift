/// One thing that can be configured: by a line of the file, a variable of the environment, or a flag.
package struct Setting: Sendable {
  /// `WAKE_LISTEN`; the same name stands in the file.
  package let variable: String
  /// `--listen`.
  package let flag: String
  /// What stands for the value in help: `HOST:PORT`.
  package let placeholder: String
  /// One line for people.
  package let help: String

  /// The path that a value of it names; nil where it names none.
  package func path(in value: String) -> String? {
    for scheme in ["sqlite:", "unix:"] where value.hasPrefix(scheme) {
      return String(value.dropFirst(scheme.count))
    }
    return ["FILE", "FOLDER"].contains(placeholder) ? value : nil
  }

  /// All of them, in the order in which help shows them.
  package static let all: [Setting] = [
    stateFolder, listen, adminListen, metricsListen, tlsCertificateFile, tlsKeyFile, database, publicURL,
    trustedProxies,
    pushAllow,
    pushCAFile, contact,
    ttl, window, rateHook, rateChanges, rateTests, serviceKeyFile, serviceKeyCommand, keepAttemptsDays,
    keepAttempts, keepGoneDays,
    keepPairingsDays,
    keepRevokedDays, logLevel, logFormat,
  ]

  /// Those that a running service takes on when it reads its settings again (SIGHUP); the others wait for its next start.
  package static let live: Set<String> = [logLevel.variable]

  /// Those of a command that works on the store.
  package static let ofStore = [stateFolder, database, serviceKeyFile, serviceKeyCommand]
  /// That of a command which asks the running server.
  package static let ofServer = [stateFolder]
  /// Those of a command that makes or shows the certificate.
  package static let ofCertificate = [stateFolder, tlsCertificateFile, tlsKeyFile, publicURL, listen]
  /// Those of a command that makes a pairing link.
  package static let ofPairing =
    ofStore + [publicURL, listen, trustedProxies, tlsCertificateFile, tlsKeyFile]

  /// Variables of an environment that look like settings and are none: a slip, or of another version.
  package static func unknown(in environment: [String: String]) -> [String] {
    environment.keys.filter { name in
      name.hasPrefix("WAKE_") && !all.contains { $0.variable == name }
    }.sorted()
  }

  static let stateFolder = Setting(
    variable: "WAKE_STATE_DIR", flag: "--state-dir", placeholder: "FOLDER",
    help: "where the store, its key and the admin socket live")
  static let listen = Setting(
    variable: "WAKE_LISTEN", flag: "--listen", placeholder: "HOST:PORT",
    help:
      "the public address, unix:/PATH, or systemd for a socket of its unit; port 0 picks one (\(Configuration.defaultListen))"
  )
  static let adminListen = Setting(
    variable: "WAKE_ADMIN_LISTEN", flag: "--admin-listen", placeholder: "HOST:PORT",
    help: "serve /v1/admin there too, for who shows an admin token (nowhere)")
  static let metricsListen = Setting(
    variable: "WAKE_METRICS_LISTEN", flag: "--metrics-listen", placeholder: "HOST:PORT",
    help: "serve /metrics there, or at unix:/PATH, for whoever reaches it (nowhere)")
  static let tlsCertificateFile = Setting(
    variable: "WAKE_TLS_CERT_FILE", flag: "--tls-cert-file", placeholder: "FILE",
    help: "the certificate chain of the public address, PEM (tls.crt in the state folder, where it is there)")
  static let tlsKeyFile = Setting(
    variable: "WAKE_TLS_KEY_FILE", flag: "--tls-key-file", placeholder: "FILE",
    help: "its private key, PEM (tls.key in the state folder)")
  static let database = Setting(
    variable: "WAKE_DATABASE", flag: "--database", placeholder: "sqlite:/PATH",
    help: "the store (wake.sqlite in the state folder)")
  static let publicURL = Setting(
    variable: "WAKE_PUBLIC_URL", flag: "--public-url", placeholder: "URL",
    help: "how companions reach the service, for pairing links")
  static let trustedProxies = Setting(
    variable: "WAKE_TRUSTED_PROXIES", flag: "--trusted-proxies", placeholder: "LIST",
    help: "proxies whose Forwarded or X-Forwarded-For is believed: addresses, CIDR blocks, or unix, by commas"
  )
  static let pushAllow = Setting(
    variable: "WAKE_PUSH_ALLOW", flag: "--push-allow", placeholder: "LIST",
    help: "push servers that may be private or plain http: origins or CIDR blocks, by commas")
  static let pushCAFile = Setting(
    variable: "WAKE_PUSH_CA_FILE", flag: "--push-ca-file", placeholder: "FILE",
    help: "further certificate authorities for push servers, PEM")
  static let contact = Setting(
    variable: "WAKE_CONTACT", flag: "--contact", placeholder: "URI",
    help: "whom a push server may write to (VAPID sub): mailto: or https:")
  static let ttl = Setting(
    variable: "WAKE_TTL", flag: "--ttl", placeholder: "SECONDS",
    help: "how long a push server keeps a wake (\(Configuration.defaultTTLSeconds))")
  static let window = Setting(
    variable: "WAKE_WINDOW", flag: "--window", placeholder: "SECONDS",
    help: "a device gets one wake in so many seconds at most (\(Configuration.defaultWindowSeconds))")
  static let rateHook = Setting(
    variable: "WAKE_RATE_HOOK", flag: "--rate-hook", placeholder: "NUMBER",
    help: "alerts that one hook token may raise in a second, or off (5000)")
  static let rateChanges = Setting(
    variable: "WAKE_RATE_CHANGES", flag: "--rate-changes", placeholder: "NUMBER",
    help: "changes of one registration in a minute, or off (60)")
  static let rateTests = Setting(
    variable: "WAKE_RATE_TESTS", flag: "--rate-tests", placeholder: "NUMBER",
    help: "test wakes that one device may ask for in a minute, or off (6)")
  static let serviceKeyFile = Setting(
    variable: "WAKE_SERVICE_KEY_FILE", flag: "--service-key-file", placeholder: "FILE",
    help: "the key that opens the store (service.key in the state folder)")
  static let serviceKeyCommand = Setting(
    variable: "WAKE_SERVICE_KEY_COMMAND", flag: "--service-key-command", placeholder: "COMMAND",
    help: "a command that prints that key, instead of a file")
  static let keepAttemptsDays = Setting(
    variable: "WAKE_KEEP_ATTEMPTS_DAYS", flag: "--keep-attempts-days", placeholder: "DAYS",
    help: "how long the record of each wake is kept (30)")
  static let keepAttempts = Setting(
    variable: "WAKE_KEEP_ATTEMPTS", flag: "--keep-attempts", placeholder: "ROWS",
    help: "how many of these a stack keeps at most (100000)")
  static let keepGoneDays = Setting(
    variable: "WAKE_KEEP_GONE_DAYS", flag: "--keep-gone-days", placeholder: "DAYS",
    help: "how long a device whose endpoint died may come back (90)")
  static let keepPairingsDays = Setting(
    variable: "WAKE_KEEP_PAIRINGS_DAYS", flag: "--keep-pairings-days", placeholder: "DAYS",
    help: "how long a pairing code that expired is remembered (1)")
  static let keepRevokedDays = Setting(
    variable: "WAKE_KEEP_REVOKED_DAYS", flag: "--keep-revoked-days", placeholder: "DAYS",
    help: "how long a revoked device is told so, and not that it is unknown (365)")
  static let logLevel = Setting(
    variable: "WAKE_LOG_LEVEL", flag: "--log-level", placeholder: "LEVEL",
    help: "debug, info, warning or error (info)")
  static let logFormat = Setting(
    variable: "WAKE_LOG_FORMAT", flag: "--log-format", placeholder: "FORMAT",
    help:
      "text, json, journal or auto: text on a terminal, what systemd's journal reads there, else json (auto)")
}
