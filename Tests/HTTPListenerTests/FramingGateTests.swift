import HTTPListener
import Testing

@Suite("The framing gate (RFC 9112)")
struct FramingGateTests {
  private let gate = FramingGate()

  private func check(
    _ headers: [(name: String, value: String)], method: String = "POST", version: String = "HTTP/1.1",
    target: String = "/a"
  ) -> GateRefusal? {
    gate.check(method: method, version: version, target: target, headers: headers)
  }

  /// The status of the refusal of a request that has a Host and these fields.
  private func status(_ headers: (name: String, value: String)..., version: String = "HTTP/1.1") -> Int? {
    check([("Host", "a")] + headers, version: version)?.status
  }

  @Test("a request with one Host and one length passes, whatever the case of names")
  func passes() {
    #expect(status(("Content-Length", "3")) == nil)
    #expect(status(("CONTENT-LENGTH", "65536")) == nil)
    #expect(status(("transfer-encoding", "Chunked")) == nil)
    #expect(status(("Expect", "100-Continue"), ("Content-Length", "3")) == nil)
    #expect(check([], version: "HTTP/1.0") == nil)
  }

  @Test(
    "a version other than 1.0 and 1.1 is refused",
    arguments: ["HTTP/1.2", "HTTP/2.0", "http/1.1", "HTTP/1.1 ", ""])
  func version(_ version: String) {
    #expect(check([("Host", "a")], version: version) == .unsupportedVersion)
  }

  @Test("a method that is no token is refused", arguments: ["", "G T", "GET\u{0}", "G(T)", "GÄT", "GET:"])
  func method(_ method: String) {
    #expect(check([("Host", "a")], method: method)?.status == 400)
  }

  @Test("a method that is a token passes", arguments: ["GET", "FOO", "get", "M-SEARCH", "!#$%&'*+-.^_`|~09"])
  func unknownMethod(_ method: String) {
    #expect(check([("Host", "a")], method: method) == nil)
  }

  @Test(
    "a target that is not a printable path is refused",
    arguments: [
      "", "*", "a", "http://a/", "a:443", "/a b", "/a\t", "/\u{0}", "/\u{7F}", "/ä", "/a#b", "/a\r\n",
      "//\u{1}",
    ])
  func target(_ target: String) {
    #expect(check([("Host", "a")], target: target)?.status == 400)
  }

  @Test(
    "a path passes as it is",
    arguments: ["/", "//", "/a%00b", "/../../x", "/?", "/a?b#".replacing("#", with: "%23"), "/{|}"])
  func path(_ target: String) {
    #expect(check([("Host", "a")], target: target) == nil)
  }

  @Test("several or no Host fields are refused in HTTP/1.1, several in HTTP/1.0")
  func hosts() {
    #expect(check([])?.status == 400)
    #expect(check([("Host", "a"), ("host", "a")])?.status == 400)
    #expect(check([("Host", "a"), ("HOST", "b")], version: "HTTP/1.0")?.status == 400)
  }

  @Test(
    "a Host that is not host[:port] is refused",
    arguments: [
      "", " ", "a b", "a,b", "a/b", "user@a", "a:", "a:b", "a:123456", ":80", "a:80:80", "[", "[]", "[a]",
      "[::1",
      "::1", "[::1]a", "[::1]:", "[::g]", "a%41", "ä", "a\u{0}", "http://a", "a?b", "a#b", "[::1]:80:80",
      "(a)",
    ])
  func badHost(_ host: String) {
    #expect(check([("Host", host)])?.status == 400)
  }

  @Test(
    "a Host that is host[:port] passes",
    arguments: [
      "a", "A.example", "a:80", "127.0.0.1:8080", "[::1]", "[::1]:0", "a_b.local", "xn--a", "a.", " a ",
      "[::ffff:127.0.0.1]:65535",
    ])
  func goodHost(_ host: String) {
    #expect(check([("Host", host)]) == nil)
  }

  @Test(
    "a Content-Length that is not 1*DIGIT is refused",
    arguments: [
      "", " ", "+3", "-3", "3 ", " 3", "0x3", "3,3", "3, 3", "1_0", "1 0", "３", "3\u{0}", "3.0", "1e1",
    ])
  func badLength(_ length: String) {
    #expect(status(("Content-Length", length)) == 400)
  }

  @Test(
    "a Content-Length beyond the limit is too large, however large",
    arguments: [
      "65537", "9223372036854775807", "9223372036854775808", "18446744073709551617",
      String(repeating: "9", count: 100),
    ])
  func largeLength(_ length: String) {
    #expect(check([("Host", "a"), ("Content-Length", length)]) == .bodyTooLarge)
  }

  @Test("several lengths are refused, equal or not")
  func lengths() {
    #expect(status(("Content-Length", "3"), ("Content-Length", "3")) == 400)
    #expect(status(("Content-Length", "3"), ("content-length", "4")) == 400)
  }

  @Test("a length beside a coding is refused, whatever the coding")
  func lengthAndCoding() {
    #expect(status(("Content-Length", "3"), ("Transfer-Encoding", "chunked")) == 400)
    #expect(status(("Transfer-Encoding", "identity"), ("Content-Length", "3")) == 400)
  }

  @Test(
    "a coding other than chunked is refused",
    arguments: [
      "", "identity", "gzip", "gzip, chunked", "chunked, identity", "chunked,", ",chunked", "chunked ",
      " chunked", "\u{B}chunked", "chunked;a=b", "\"chunked\"", "chunkedchunked",
    ])
  func coding(_ coding: String) {
    #expect([400, 501].contains(status(("Transfer-Encoding", coding))))
  }

  @Test("several codings, and a coding in HTTP/1.0, are refused")
  func codings() {
    #expect(status(("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "chunked")) == 400)
    #expect(status(("Transfer-Encoding", "chunked"), version: "HTTP/1.0") == 400)
  }

  @Test(
    "a field name that is no token is refused",
    arguments: [
      "", " X", "X ", "X\t", "X Y", "X\u{1}Y", "X:", "Ä", "X\u{0}", "X\r", "(X)", "X\u{7F}",
      "Content-Length ",
    ])
  func name(_ name: String) {
    #expect(status((name, "a")) == 400)
  }

  @Test(
    "a field value with control characters is refused",
    arguments: ["\u{0}", "a\rb", "a\nb", "\u{1B}[m", "\u{7F}", "\u{B}"])
  func value(_ value: String) {
    #expect(status(("X", value)) == 400)
  }

  @Test(
    "a field value may have tabs, spaces and any letters",
    arguments: ["", "a\tb", " a ", "ä", "\u{FFFD}", "\"\\\""])
  func goodValue(_ value: String) {
    #expect(status(("X", value)) == nil)
  }

  @Test("an expectation other than 100-continue is refused in HTTP/1.1 and ignored in HTTP/1.0")
  func expectations() {
    #expect(status(("Expect", "200-maybe")) == 417)
    #expect(status(("Expect", "100-continue, x")) == 417)
    #expect(status(("Expect", "100-continue"), ("Expect", "x")) == 417)
    #expect(status(("Expect", "200-maybe"), version: "HTTP/1.0") == nil)
  }

  @Test("more fields than the limit are refused")
  func fields() {
    let fields = (1..<100).map { (name: "X-\($0)", value: "") }
    #expect(check([("Host", "a")] + fields) == nil)
    #expect(check([("Host", "a")] + fields + [("Y", "")]) == .headTooLarge)
  }

  @Test("no refusal repeats anything of the request")
  func refusalsAreSilent() {
    let refusals: [GateRefusal?] = [
      check([("Host", "secret secret")]), check([("Host", "a"), ("Content-Length", "secret")]),
      check([("Host", "a"), ("sec ret", "secret")]), check([("Host", "a")], target: "secret"),
      check([("Host", "a")], method: "secret secret"), check([("Host", "a"), ("Expect", "secret")]),
    ]
    for refusal in refusals { #expect(refusal?.detail.contains("secret") == false) }
  }
}
