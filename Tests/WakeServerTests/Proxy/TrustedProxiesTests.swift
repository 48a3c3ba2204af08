import HTTPListener
import PushDelivery
import Testing
import WakeServer

@Suite("Who calls, behind proxies")
struct TrustedProxiesTests {
  /// A request as it comes to us, and whom it is taken to come from; `unix` for nobody known.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let peer: String?
    let fields: [(name: String, value: String)]
    let client: String

    init(_ name: String, from peer: String?, _ fields: [(String, String)], _ client: String) {
      (self.name, self.peer, self.client) = (name, peer, client)
      self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    var testDescription: String { name }
  }

  /// Believed: 10.0.0.0/8, 2001:db8:1::/48, and a Unix socket.
  private static let proxies = "10.0.0.0/8, 2001:db8:1::/48 ,unix"
  private static let proxy = "10.0.0.1"
  private static let xff = "X-Forwarded-For"

  static let walks: [Case] = [
    Case("no field", from: proxy, [], proxy),
    Case(
      "a stranger's word", from: "192.0.2.1", [(xff, "198.51.100.1"), ("Forwarded", "for=198.51.100.1")],
      "192.0.2.1"),
    Case("one hop", from: proxy, [(xff, "198.51.100.1")], "198.51.100.1"),
    Case("by a Unix socket", from: nil, [(xff, "198.51.100.1")], "198.51.100.1"),
    Case("a Unix socket without a field", from: nil, [], "unix"),
    Case(
      "what the client wrote is not reached", from: proxy, [(xff, "203.0.113.9, 198.51.100.1")],
      "198.51.100.1"),
    Case(
      "a chain of proxies", from: proxy, [(xff, "203.0.113.9, 198.51.100.1, 10.0.0.2,10.0.0.3")],
      "198.51.100.1"),
    Case(
      "several lines are one list", from: proxy,
      [(xff, "203.0.113.9"), (xff, "198.51.100.1"), (xff, "10.0.0.2")], "198.51.100.1"),
    Case("all are believed", from: proxy, [(xff, "10.0.0.3, 10.0.0.2")], "10.0.0.3"),
    Case("an IPv6 hop without brackets", from: proxy, [(xff, "2001:db8::1")], "2001:db8::1"),
    Case("an IPv6 hop in brackets with a port", from: proxy, [(xff, "[2001:db8::1]:443")], "2001:db8::1"),
    Case("an IPv4 hop with a port", from: proxy, [(xff, "198.51.100.1:50000")], "198.51.100.1"),
    Case("an IPv6 proxy", from: "2001:db8:1::2", [(xff, "198.51.100.1, 2001:db8:1::9")], "198.51.100.1"),
    Case("a mapped peer", from: "::ffff:10.0.0.1", [(xff, "::ffff:10.0.0.2, ::ffff:10.9.9.9")], "10.0.0.2"),
    Case("a mapped client", from: proxy, [(xff, "::ffff:198.51.100.1")], "198.51.100.1"),
  ]

  static let malformed: [Case] = [
    Case("noise", from: proxy, [(xff, "198.51.100.1, rubbish")], proxy),
    Case("noise behind a known hop", from: proxy, [(xff, "198.51.100.1, rubbish, 10.0.0.7")], "10.0.0.7"),
    Case("nothing between commas", from: proxy, [(xff, "198.51.100.1,")], proxy),
    Case("an empty field", from: proxy, [(xff, "")], proxy),
    Case("unknown", from: proxy, [(xff, "unknown")], proxy),
    Case("octal digits", from: proxy, [(xff, "010.0.0.1")], proxy),
    Case("a port that is none", from: proxy, [(xff, "198.51.100.1:x")], proxy),
    Case("a bracket left open", from: proxy, [(xff, "[2001:db8::1")], proxy),
    Case("IPv4 in brackets", from: proxy, [(xff, "[198.51.100.1]")], proxy),
    Case("a zone", from: proxy, [(xff, "fe80::1%eth0")], proxy),
    Case("a Unix socket and noise", from: nil, [(xff, "rubbish")], "unix"),
  ]

  static let forwarded: [Case] = [
    ("for=198.51.100.1", "198.51.100.1"),
    ("For=198.51.100.1;proto=https;by=10.0.0.1", "198.51.100.1"),
    ("proto=https ; for=198.51.100.1", "198.51.100.1"),
    ("for=\"198.51.100.1:4711\"", "198.51.100.1"),
    ("for=\"198.51.100.1:_port\"", "198.51.100.1"),
    ("for=\"[2001:db8::17]\"", "2001:db8::17"),
    ("for=\"[2001:db8::17]:4711\"", "2001:db8::17"),
    ("for=\"[2001:\\db8::17]\"", "2001:db8::17"),
    ("for=203.0.113.9, for=198.51.100.1", "198.51.100.1"),
    ("for=198.51.100.1, for=10.0.0.5;host=\"a, for=1.1.1.1\"", "198.51.100.1"),
    ("for=198.51.100.1, for=10.0.0.5;host=\"a\\\", for=1.1.1.1\"", "198.51.100.1"),
    // What the client wrote cannot swallow what the proxy wrote behind it.
    ("for=\", for=198.51.100.1", "198.51.100.1"),
    ("for=\"\\, for=198.51.100.1", "198.51.100.1"),
    ("for=unknown", "10.0.0.1"), ("for=_hidden", "10.0.0.1"), ("for=\"_hidden:80\"", "10.0.0.1"),
    ("for=203.0.113.9, for=unknown", "10.0.0.1"), ("for=203.0.113.9, for=_a, for=10.0.0.8", "10.0.0.8"),
    ("proto=https", "10.0.0.1"), ("", "10.0.0.1"), ("for", "10.0.0.1"), ("for=", "10.0.0.1"),
    ("for =198.51.100.1", "10.0.0.1"), ("for=198.51.100.1;for=198.51.100.2", "10.0.0.1"),
    ("for=198.51.100.1;", "10.0.0.1"), ("for=2001:db8::17", "10.0.0.1"), ("for=\"2001:db8::17\"", "10.0.0.1"),
    ("for=\"[2001:db8::17]x\"", "10.0.0.1"), ("for=\"198.51.100.1:123456\"", "10.0.0.1"),
    ("for=\"198.51.100.1\"x", "10.0.0.1"), ("for=\"198.51.\"100.1\"", "10.0.0.1"), ("for=\"", "10.0.0.1"),
  ].map { value, client in Case(value, from: proxy, [("forwarded", value)], client) }

  /// A proxy writes one of the two fields, and passes on what a client wrote into the other.
  static let both: [Case] = [
    Case(
      "both say the same", from: proxy, [("Forwarded", "for=198.51.100.1"), (xff, "198.51.100.1")],
      "198.51.100.1"),
    Case("a client's Forwarded", from: proxy, [("Forwarded", "for=6.6.6.6"), (xff, "198.51.100.1")], proxy),
    Case(
      "a client's X-Forwarded-For", from: proxy, [("Forwarded", "for=198.51.100.1"), (xff, "6.6.6.6")], proxy),
    Case(
      "an empty field is one that is there", from: proxy, [("Forwarded", ""), (xff, "198.51.100.1")], proxy),
  ]

  @Test(
    "the walk from the right ends at the first that is not believed, or in front of what cannot be read",
    arguments: walks + malformed + forwarded + both)
  func client(line: Case) throws {
    let configuration = try Self.configuration(Self.proxies)
    let request = HTTPRequest(method: "GET", target: "/", headers: line.fields, peer: line.peer)
    #expect(configuration.trustedProxies.client(of: request)?.description ?? "unix" == line.client)
  }

  @Test("where nobody is believed, the other end of the connection is the client", arguments: walks)
  func nobody(line: Case) {
    let request = HTTPRequest(method: "GET", target: "/", headers: line.fields, peer: line.peer)
    let own = line.peer.map { $0.hasPrefix("::ffff:") ? String($0.dropFirst(7)) : $0 } ?? "unix"
    #expect(TrustedProxies().client(of: request)?.description ?? "unix" == own)
  }

  @Test("a Unix socket is believed only by its word")
  func unix() throws {
    let proxies = try Self.configuration("10.0.0.1").trustedProxies
    #expect(proxies.client(peer: nil, forwarded: [], forwardedFor: ["198.51.100.1"]) == nil)
    #expect(proxies.trusts(IPAddress(parsing: "10.0.0.1")) && !proxies.trusts(IPAddress(parsing: "10.0.0.2")))
    let mapped = try Self.configuration("::ffff:10.0.0.0/104,::1").trustedProxies
    #expect(mapped.trusts(IPAddress(parsing: "10.200.0.1")) && mapped.trusts(IPAddress(parsing: "::1")))
    #expect(!mapped.trusts(IPAddress(parsing: "11.0.0.1")))
  }

  @Test(
    "a list that is none is refused",
    arguments: [
      ",", "10.0.0.1,", "proxy.lan", "10.0.0.0/33", "10.0.0.1/8", "::/129", "10.0.0.0/", "10.0.0.0/+8",
      "Unix",
      "unix:/x", "::ffff:10.0.0.1/104", "10.0.0.0/8/8",
    ])
  func refused(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try Self.configuration(text) }
    #expect(error?.description.hasPrefix("WAKE_TRUSTED_PROXIES") == true)
  }

  private static func configuration(_ text: String) throws(ConfigurationError) -> Configuration {
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": "/nowhere/wake", "WAKE_TRUSTED_PROXIES": text])
    return try Configuration(sources, environment: [:], workingFolder: "/here")
  }
}
