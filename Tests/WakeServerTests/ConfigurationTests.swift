import EndpointRegistry
import HTTPListener
import Testing
import WakeServer

@Suite("Configuration")
struct ConfigurationTests {
  @Test("a time to live of whole seconds is taken, 0 among them (B16)", arguments: ["0", "60", "2419200"])
  func ttl(text: String) throws {
    #expect(try configuration(["WAKE_TTL": text]).timing.ttlSeconds == Int(text))
    #expect(try configuration([:]).timing.ttlSeconds == 86_400)
  }

  @Test("a window of whole seconds up to a day is taken, 0 among them", arguments: ["0", "1", "86400"])
  func window(text: String) throws {
    #expect(try configuration(["WAKE_WINDOW": text]).timing.windowSeconds == Int(text))
    #expect(try configuration([:]).timing.windowSeconds == 30)
  }

  @Test(
    "a wrong value is refused at start, by its name",
    arguments: [
      ("WAKE_TTL", "-1"), ("WAKE_TTL", "1.5"), ("WAKE_TTL", "60s"), ("WAKE_TTL", "1e3"), ("WAKE_TTL", " 60"),
      ("WAKE_TTL", "99999999999"), ("WAKE_TTL", "99999999999999999999999"), ("WAKE_TTL", "２"),
      ("WAKE_WINDOW", "-1"), ("WAKE_WINDOW", "30s"), ("WAKE_WINDOW", "86401"),
      ("WAKE_RATE_HOOK", "0"), ("WAKE_RATE_HOOK", "-1"), ("WAKE_RATE_HOOK", "1000001"),
      ("WAKE_RATE_HOOK", "5e3"),
      ("WAKE_RATE_CHANGES", "60/min"), ("WAKE_RATE_CHANGES", "99999999999999999999"),
      ("WAKE_RATE_TESTS", "OFF"), ("WAKE_RATE_TESTS", "none"), ("WAKE_RATE_TESTS", " "),
      ("WAKE_STATE_DIR", "/\(String(repeating: "long/", count: 21))"), ("WAKE_LISTEN", "8090"),
      ("WAKE_LISTEN", "localhost:99999"), ("WAKE_LISTEN", "unix:"), ("WAKE_LISTEN", "systemd:"),
      ("WAKE_ADMIN_LISTEN", "9"),
      ("WAKE_ADMIN_LISTEN", "unix:/s"), ("WAKE_ADMIN_LISTEN", "systemd"),
      ("WAKE_DATABASE", "postgres://x"), ("WAKE_DATABASE", "sqlite:"), ("WAKE_PUBLIC_URL", "wake.example"),
      ("WAKE_PUBLIC_URL", "https://wake.example/?x"), ("WAKE_PUBLIC_URL", "https://me:secret@wake.example"),
      ("WAKE_PUSH_ALLOW", "ntfy.lan"),
      ("WAKE_PUSH_ALLOW", "https://ntfy.lan/path"), ("WAKE_LOG_LEVEL", "loud"),
      ("WAKE_LOG_FORMAT", "xml"), ("WAKE_LOG_FORMAT", "JSON"), ("WAKE_METRICS_LISTEN", "9090"),
      ("WAKE_METRICS_LISTEN", "systemd"), ("WAKE_METRICS_LISTEN", "unix:relative"),
      ("WAKE_KEEP_ATTEMPTS_DAYS", "0"), ("WAKE_KEEP_ATTEMPTS_DAYS", "-1"),
      ("WAKE_KEEP_ATTEMPTS_DAYS", "36501"),
      ("WAKE_KEEP_ATTEMPTS", "1e5"), ("WAKE_KEEP_ATTEMPTS", "9223372036854775808"),
      ("WAKE_KEEP_GONE_DAYS", "x"),
      ("WAKE_KEEP_PAIRINGS_DAYS", "1.5"), ("WAKE_KEEP_REVOKED_DAYS", " "),
      ("WAKE_CONTACT", "ops@host.example"), ("WAKE_CONTACT", "mailto: ops@host.example"),
      ("WAKE_CONTACT", "mailto:<ops@host.example>"), ("WAKE_CONTACT", "mailto:ops@localhost"),
      ("WAKE_CONTACT", "https://host.local"), ("WAKE_CONTACT", "ftp://x.example"),
      ("WAKE_CONTACT", "mailto:ops@\(String(repeating: "a.", count: 160))example"),
    ])
  func wrong(name: String, value: String) {
    let error = #expect(throws: ConfigurationError.self) { try configuration([name: value]) }
    #expect(error?.description.hasPrefix(name) == true)
    #expect(error?.description.contains("\n") == false)
  }

  @Test("white space around a contact is removed, and none is sent where none is set")
  func contact() throws {
    #expect(
      try configuration(["WAKE_CONTACT": " mailto:ops@host.example\n"]).contact == "mailto:ops@host.example")
    #expect(try configuration([:]).contact == nil)
  }

  @Test("defaults yield to the file, the file to the environment, the environment to flags")
  func order() throws {
    var sources = ConfigurationSources()
    try sources.add(file: "# a comment\n\nWAKE_TTL=1\nWAKE_LOG_LEVEL = \"debug\"\n", path: "wake.conf")
    #expect(try checked(sources).timing.ttlSeconds == 1)
    #expect(try checked(sources).logLevel == .debug)
    sources.add(environment: ["WAKE_TTL": "2", "WAKE_LOG_LEVEL": ""])
    #expect(try checked(sources).timing.ttlSeconds == 2)
    #expect(try checked(sources).logLevel == .debug)
    sources.add(flag: try #require(Setting.all.first { $0.flag == "--ttl" }), value: "3")
    #expect(try checked(sources).timing.ttlSeconds == 3)
  }

  @Test(
    "a line of the file that is none is named by its number", arguments: ["WAKE_TTL", "WAKE_TLL=1", "ttl=1"])
  func file(line: String) {
    let error = #expect(throws: ConfigurationError.self) {
      var sources = ConfigurationSources()
      try sources.add(file: "WAKE_TTL=1\n\(line)\n", path: "wake.conf")
    }
    #expect(error?.description.hasPrefix("wake.conf, line 2:") == true)
  }

  @Test("a relative path is made absolute once, at the start")
  func absolute() throws {
    let configuration = try configuration([
      "WAKE_STATE_DIR": "state", "WAKE_DATABASE": "sqlite:other/wake.db",
    ])
    #expect(configuration.stateFolder.path == "/here/state")
    #expect(configuration.databasePath == "/here/other/wake.db")
  }

  @Test("the state folder is systemd's, the user's, or the one that is named")
  func stateFolder() throws {
    #expect(try checked(.init(), ["STATE_DIRECTORY": "/var/lib/wake"]).stateFolder.path == "/var/lib/wake")
    #expect(try checked(.init(), ["XDG_STATE_HOME": "/x"]).stateFolder.path == "/x/wake")
    #expect(try checked(.init(), ["HOME": "/h"]).stateFolder.path == "/h/.local/state/wake")
    #expect(try configuration(["WAKE_STATE_DIR": "/named"]).databasePath == "/named/wake.sqlite")
  }

  @Test("what is kept, and for how long, is the service's own number or the one that is named")
  func retention() throws {
    #expect(try configuration([:]).retention == Retention())
    #expect(Retention().attemptMilliseconds == 30 * 86_400_000 && Retention().attemptsPerStack == 100_000)
    #expect(Retention().goneMilliseconds == 90 * 86_400_000)
    var named = Retention()
    named.attemptMilliseconds = 7 * Retention.day
    named.attemptsPerStack = 5
    named.goneMilliseconds = 36_500 * Retention.day
    named.pairingMilliseconds = 2 * Retention.day
    named.revokedTokenMilliseconds = 3 * Retention.day
    let configuration = try configuration([
      "WAKE_KEEP_ATTEMPTS_DAYS": "7", "WAKE_KEEP_ATTEMPTS": "5", "WAKE_KEEP_GONE_DAYS": "36500",
      "WAKE_KEEP_PAIRINGS_DAYS": "2", "WAKE_KEEP_REVOKED_DAYS": "3",
    ])
    #expect(configuration.retention == named)
  }

  @Test("what one token may ask for is the contract's number, the one that is named, or without a limit")
  func rates() throws {
    let usual = try configuration([:]).rates
    #expect(usual.hook == .perSecond(5_000))
    #expect(usual.changes == .perMinute(60) && usual.tests == .perMinute(6))
    let named = try configuration([
      "WAKE_RATE_HOOK": "1", "WAKE_RATE_CHANGES": "1000000", "WAKE_RATE_TESTS": "off",
    ]).rates
    #expect(named.hook == .perSecond(1) && named.changes == .perMinute(1_000_000) && named.tests == nil)
  }

  @Test("there is one source of the service key, not two")
  func serviceKey() {
    #expect(throws: ConfigurationError.self) {
      try configuration(["WAKE_SERVICE_KEY_FILE": "/key", "WAKE_SERVICE_KEY_COMMAND": "cat /key"])
    }
  }

  @Test(
    "the public socket is bound by the service or handed over by systemd, and where none was handed over it is said"
  )
  func handedOver() throws {
    #expect(try configuration([:]).listen == .address(.tcp(host: "127.0.0.1", port: 8090)))
    let first = try configuration(["WAKE_LISTEN": "systemd"])
    let named = try configuration(["WAKE_LISTEN": "systemd:admin:x"]).listen
    #expect(
      first.listen == .systemd(name: nil) && named == .systemd(name: "admin:x") && first.publicURL == nil)
    let handed = HandedSockets(
      environment: ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "wake:web"], process: 7)
    #expect(try first.listen.descriptor(among: handed) == 3)
    #expect(try ListenSource.systemd(name: "web").descriptor(among: handed) == 4)
    #expect(try configuration([:]).listen.descriptor(among: handed) == nil)
    let missing = #expect(throws: ConfigurationError.self) { try named.descriptor(among: handed) }
    #expect(missing?.description.contains("wake, web") == true)
  }

  @Test(
    "what systemd did not write for this process hands nothing over",
    arguments: [
      [:], ["LISTEN_FDS": "1"], ["LISTEN_PID": "8", "LISTEN_FDS": "1"], ["LISTEN_PID": "7"],
      ["LISTEN_PID": "7", "LISTEN_FDS": "0"], ["LISTEN_PID": "7", "LISTEN_FDS": "-1"],
      ["LISTEN_PID": "7", "LISTEN_FDS": "x"], ["LISTEN_PID": "7", "LISTEN_FDS": "99999999999"],
    ] as [[String: String]])
  func nothingHandedOver(environment: [String: String]) {
    let handed = HandedSockets(environment: environment, process: 7)
    #expect(handed.sockets == [])
    let error = #expect(throws: ConfigurationError.self) {
      try ListenSource.systemd(name: nil).descriptor(among: handed)
    }
    #expect(error?.description.hasPrefix("WAKE_LISTEN") == true)
  }

  @Test("admin tokens travel in the clear on this machine alone")
  func adminListen() throws {
    for address in ["127.0.0.1:0", "[::1]:9", "localhost:9"] {
      #expect(try configuration(["WAKE_ADMIN_LISTEN": address]).adminListen?.description == address)
    }
    let tls = ["WAKE_TLS_CERT_FILE": "/c", "WAKE_TLS_KEY_FILE": "/k"]
    for address in ["0.0.0.0:9", "[::]:9", "192.168.1.5:9", "wake.lan:9"] {
      let settings = ["WAKE_ADMIN_LISTEN": address]
      let error = #expect(throws: ConfigurationError.self) { try configuration(settings) }
      #expect(error?.description.contains("wake tls init") == true)
      #expect(try configuration(settings.merging(tls) { $1 }).adminListen != nil)
      // The certificate is then for the admin listener, whatever the public one is.
      let unix = settings.merging(tls) { $1 }.merging(["WAKE_LISTEN": "unix:/s"]) { $1 }
      #expect(try configuration(unix).tls != nil)
    }
  }

  private func configuration(_ environment: [String: String]) throws(ConfigurationError) -> Configuration {
    var sources = ConfigurationSources()
    sources.add(environment: environment)
    return try checked(sources)
  }

  private func checked(_ sources: ConfigurationSources, _ environment: [String: String] = [:])
    throws(ConfigurationError) -> Configuration
  {
    try Configuration(sources, environment: environment, workingFolder: "/here")
  }
}
