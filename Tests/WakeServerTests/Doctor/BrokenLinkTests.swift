import EndpointRegistry
import HTTPListener
import PushDelivery
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("Each link that breaks is the one that the doctor names, with its fix (B24)")
struct BrokenLinkTests {
  private static let way: [BrokenLink] = [
    BrokenLink("no subscription", "registration", "install a distributor") { $0.hasNoPush = true },
    .answered(
      "gone before", "let it register again", .strict, "/gone/canary", link: "registration", asksBefore: 1),
    BrokenLink("dead DNS", "name-resolution", "Check its spelling and its DNS record") {
      $0.endpoint = { _ in "https://push.example:8443/canary" }
      $0.resolver = { _ throws(NameResolutionError) in throw .noSuchName }
    },
    BrokenLink("no name server", "name-resolution", "/etc/resolv.conf") {
      $0.endpoint = { _ in "https://push.example:8443/canary" }
      $0.resolver = { _ throws(NameResolutionError) in throw .noAnswer }
    },
    BrokenLink("private address", "address-policy", "WAKE_PUSH_ALLOW=https://push.example:8443") {
      $0.endpoint = { _ in "https://push.example:8443/canary" }
      $0.resolver = { _ throws(NameResolutionError) in [IPAddress(parsing: "192.168.7.7")].compactMap { $0 } }
      $0.allow = ""
    },
    BrokenLink(
      "private address, beside others that are allowed", "address-policy",
      "WAKE_PUSH_ALLOW=10.9.0.0/16,https://push.example:8443"
    ) {
      $0.endpoint = { _ in "https://push.example:8443/canary" }
      $0.resolver = { _ throws(NameResolutionError) in [IPAddress(parsing: "192.168.7.7")].compactMap { $0 } }
      $0.allow = ""
      $0.examining = { settings, _ in settings.pushAllow = ["10.9.0.0/16"] }
    },
    BrokenLink("one address of two is private", "address-policy", "WAKE_PUSH_ALLOW=https://push.example") {
      $0.endpoint = { _ in "https://push.example/canary" }
      $0.resolver = { _ throws(NameResolutionError) in
        ["127.0.0.1", "10.1.2.3"].compactMap { IPAddress(parsing: $0) }
      }
    },
    BrokenLink("the service itself", "address-policy", "Correct its DNS record, or its port") {
      $0.ownPort = { try $0.raw(.status(201)) }
      $0.endpoint = { _ in "http://127.0.0.1:OWN/canary" }
    },
    BrokenLink("wrong port", "connection", "correct its port") {
      $0.endpoint = { "http://127.0.0.1:\(try $0.deadPort())/up/canary" }
    },
    BrokenLink("a firewall swallows", "connection", "the firewalls on both machines") {
      $0.endpoint = { "http://127.0.0.1:\(try $0.silentPort())/up/canary" }
    },
    BrokenLink("the file of authorities has gone", "configuration", "PEM form") {
      $0.examining = { settings, _ in settings.pushCAFile = "/nonexistent/wake/ca.pem" }
      $0.answers = false
    },
    .secured("expired certificate", .expired, "Renew it there"),
    .secured("wrong name", .otherName, "Get a certificate there for that name"),
    .secured("self-signed", .selfSigned, "WAKE_PUSH_CA_FILE"),
    .secured("not valid yet", .notYetValid, "timedatectl set-ntp true"),
    .secured("unknown authority", .good, "WAKE_PUSH_CA_FILE", trusts: false),
    BrokenLink("no TLS there", "tls", "set its public URL to http://127.0.0.1:") {
      $0.endpoint = { "https://127.0.0.1:\(try $0.raw(RawAnswer("SSH-2.0-x\r\n", then: .close)))/up/canary" }
    },
    BrokenLink("TLS hangs", "tls", "one with TLS 1.2 or 1.3") {
      $0.endpoint = { "https://127.0.0.1:\(try $0.raw(.silence))/up/canary" }
    },
    BrokenLink("plain http where TLS is spoken", "answer", "set its public URL to https://127.0.0.1:") {
      $0.endpoint = {
        try $0.secure(.good).replacing("https://localhost", with: "http://127.0.0.1") + "/up/canary"
      }
    },
    .answered("403 of ntfy", "ntfy access everyone 'up*' write-only", .ntfy, "/read-only/canary"),
    .answered("507 of ntfy", "Open the ntfy app on the phone", .ntfy, "/unsubscribed/canary"),
    .answered("429 of ntfy", "visitor-request-limit-exempt-hosts", .ntfy, "/rate-limited/canary"),
    .answered(
      "held after a 429", "one wake goes out at its end", .strict, "/throttled/canary", link: "wake",
      asksBefore: 1),
    .answered(
      "held by ntfy's day limit", "counts anew at midnight UTC", .ntfy, "/day-limit/canary", link: "wake",
      asksBefore: 1),
    .answered(
      "held by ntfy's rate limit", "visitor-request-limit-exempt-hosts", .ntfy, "/rate-limited/canary",
      link: "wake", asksBefore: 1),
    .answered("VAPID mismatch, Apple", "has to register again", .apple, "/other-key/canary"),
    .answered("VAPID mismatch, FCM", "register again", .fcm, "/other-key/canary"),
    BrokenLink("gone 404, by the page of a web server in front", "answer", "get to the push server itself") {
      $0.endpoint = {
        let page = "<html><head><title>404 Not Found</title></head><h1>404 Not Found</h1></html>"
        return "http://127.0.0.1:\(try $0.raw(.status(404, body: page)))/up/canary"
      }
    },
    .answered("gone 410", "have it register again", .autopush, "/gone/canary"),
    .answered("unknown 404", "have it register again", .nextpush, "/unknown/canary"),
    .answered("too large 413", "take at least 4096", .strict, "/oversize/canary"),
    .answered("a fault of its own 500", "See that the push server runs", .prosody, "/broken/canary"),
    .answered("redirect", "public URL to the address", .strict, "/moved/canary"),
    BrokenLink("silent push server", "answer", "not overloaded or hung") {
      $0.endpoint = { try $0.hostile() + "/silent/canary" }
    },
    BrokenLink("reset", "answer", "that scheme and port are right") {
      $0.endpoint = { try $0.hostile() + "/reset/canary" }
    },
    BrokenLink("clock a day ahead", "clock", "timedatectl set-ntp true") {
      $0.clockAhead = 86_400_000
      $0.endpoint = { try $0.plays(.strict) + "/canary" }
    },
    BrokenLink("clock a day behind, and nobody minds", "clock", "timedatectl set-ntp true") {
      $0.clockAhead = -86_400_000
    },
    BrokenLink("deaf companion", "receipt", "battery saving") { $0.answers = false },
    BrokenLink("deaf companion at an ntfy of one's own", "receipt", "connected to http://127.0.0.1:") {
      $0.endpoint = { try $0.plays(.ntfy) + "/up/canary" }
      $0.answers = false
    },
  ]

  private static let service: [BrokenLink] = [
    BrokenLink("service key missing", "service-key", "put the key back") {
      $0.examining = { settings, _ in settings.serviceKey = .file("/nonexistent/wake/service.key") }
    },
    BrokenLink("another service key", "service-key", "put the key back") {
      let key = "wake-service-key-1 \(String(repeating: "A", count: 43))"
      $0.examining = { settings, _ in settings.serviceKey = .command("echo \(key)") }
    },
    BrokenLink("a command that prints no service key", "service-key", "run the command by hand") {
      $0.examining = { settings, _ in settings.serviceKey = .command("head -c 32 /dev/zero | base64") }
    },
    .publicURL("public URL at a wrong port", "check the port forwarding") {
      "http://127.0.0.1:\(try $0.deadPort())"
    },
    .publicURL(
      "a listener on loopback, and an address of the network", "WAKE_LISTEN=0.0.0.0:8090",
      { $0.listening = .tcp(host: "127.0.0.1", port: 8_090) }
    ) { "http://wake.example:\(try $0.deadPort())" },
    .publicURL(
      "the same with a proxy that is known", "check the port forwarding",
      {
        $0.listening = .tcp(host: "127.0.0.1", port: 8_090)
        $0.hasProxies = true
      }
    ) { "http://wake.example:\(try $0.deadPort())" },
    .publicURL(
      "a listener on every address", "check the port forwarding",
      { $0.listening = .tcp(host: "0.0.0.0", port: 8_090) }
    ) { "http://wake.example:\(try $0.deadPort())" },
    .publicURL(
      "plain http where the service speaks TLS", "WAKE_PUBLIC_URL=https://localhost:",
      { $0.speaksTLS = true }
    ) { try $0.secure(.good).replacing("https", with: "http") },
    .publicURL("a wrong path", "correct WAKE_PUBLIC_URL", seen: "/wrong-path answers with status 404") {
      "http://127.0.0.1:\(try $0.raw(.status(404)))/wrong-path"
    },
    .publicURL("public URL of another service", "correct WAKE_PUBLIC_URL") {
      "http://127.0.0.1:\(try $0.raw(.status(200, body: #"{"status":"ok"}"#)))"
    },
    .publicURL("a proxy without a target", "check the proxy's target") {
      "http://127.0.0.1:\(try $0.raw(.status(502)))"
    },
    .publicURL("a proxy that asks for a login", "exempt this host", seen: "status 401") {
      "http://127.0.0.1:\(try $0.raw(.status(401)))"
    },
    .publicURL("a proxy that leads to its login page", "exempt this host", seen: "status 302") {
      "http://127.0.0.1:\(try $0.raw(.status(302, headers: [("Location", "https://login.example/?rd=x")])))"
    },
    .publicURL(
      "a proxy that leads to https", "set WAKE_PUBLIC_URL=https://wake.example,", seen: "https://wake.example"
    ) {
      let location = "https://wake.example/healthz?visit=x"
      return "http://127.0.0.1:\(try $0.raw(.status(308, headers: [("Location", location)])))"
    },
    .publicURL("public URL without an address", "add the name to the DNS") { _ in "https://nowhere.invalid" },
    .publicURL("its certificate has expired", at: "certificate", "renew it") { try $0.secure(.expired) },
    .publicURL("its certificate is another's", at: "certificate", "get one for that name") {
      try $0.secure(.otherName)
    },
    .publicURL("its certificate is nobody's", at: "certificate", "wake tls init") {
      try $0.secure(.selfSigned)
    },
    BrokenLink("something else than the pinned certificate", "certificate", "WAKE_TRUSTED_PROXIES") {
      $0.examining = { settings, bench in
        let url = try bench.secure(.selfSigned)
        settings.publicURL = { url }
        settings.pinnedFingerprint = { String(repeating: "0", count: 64) }
      }
    },
  ]

  @Test("on the way to a push server", .timeLimit(.minutes(2)), arguments: way)
  func onTheWay(broken: BrokenLink) async throws { try await check(broken) }

  @Test("in the service itself, where the wake still arrives", .timeLimit(.minutes(2)), arguments: service)
  func inTheService(broken: BrokenLink) async throws {
    let diagnosis = try await check(broken)
    #expect(diagnosis.finding("receipt")?["verdict"] == "ok", "\(diagnosis.text)")
  }

  @discardableResult
  private func check(_ broken: BrokenLink) async throws -> Diagnosis {
    let bench = BrokenLink.Bench()
    do {
      let diagnosis = try await examine(broken, bench)
      await bench.end()
      #expect(diagnosis.links("fault") == [broken.link], "\(diagnosis.text)")
      #expect(diagnosis.verdict == "fault" && diagnosis.document["fault"]?.string == broken.link)
      #expect(diagnosis.fix?.contains(broken.fix) == true, "\(diagnosis.fix ?? "")")
      #expect(
        diagnosis.of("fault").allSatisfy { $0["fix"]?.string == diagnosis.fix && $0["cause"]?.string != nil })
      if !broken.seen.isEmpty {
        #expect(
          diagnosis.finding(broken.link)?["seen"]?.string?.contains(broken.seen) == true, "\(diagnosis.text)")
      }
      #expect(!diagnosis.text.contains("canary"), "a part of the endpoint is told")
      return diagnosis
    } catch {
      await bench.end()
      throw error
    }
  }

  private func examine(_ broken: BrokenLink, _ bench: BrokenLink.Bench) async throws -> Diagnosis {
    let authority = broken.trustsAuthority ? try #require(TestAuthority.shared).caFile : nil
    let resolver = broken.resolver
    let own = try broken.ownPort(bench)
    var settingUp: (any Error)?
    let ahead = broken.clockAhead
    var result: Diagnosis?
    try await TestService.with(
      .socket, clock: WallClock { WallClock.system.now() + ahead }, delivers: false, alsoAllows: broken.allow,
      own: own.map { port in OwnListeners([.init(host: "127.0.0.1", port: port)]) { _ in false } } ?? .none,
      sending: {
        $0.caFile = authority
        $0.totalTimeoutMilliseconds = 1_500
        $0.resolver = { name throws(NameResolutionError) in try resolver(name) }
      },
      examining: { settings in
        settings.pushCAFile = authority
        settings.probe = ConnectionProbe(
          resolver: { name throws(NameResolutionError) in try resolver(name) }, timeoutMilliseconds: 1_000)
        do { try broken.examining(&settings, bench) } catch { settingUp = error }
      }
    ) { service in
      if let settingUp { throw settingUp }
      let phone = try await phone(of: broken, own, bench, service)
      for _ in 0..<broken.asksBefore { _ = try await service.examine(phone.device) }
      let reachesHealthy = broken.endpoint == nil && !broken.hasNoPush
      result =
        reachesHealthy && broken.answers
        ? try await service.examineAnswering(phone) : try await service.examine(phone.device, wait: 1)
    }
    return try #require(result)
  }

  private func phone(
    of broken: BrokenLink, _ own: Int?, _ bench: BrokenLink.Bench, _ service: TestService
  ) async throws -> Phone {
    if broken.hasNoPush {
      let companion = try Companion()
      return try service.phone(
        companion, try await service.register(["client": .string(companion.client)]))
    }
    let endpoint = try broken.endpoint?(bench) ?? "\(service.pushServer.origin)/up/canary"
    return try await service.phone(
      at: endpoint.replacing("OWN", with: "\(own ?? 0)"), clockAhead: broken.clockAhead)
  }
}
