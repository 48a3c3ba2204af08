import TestSupport
import Testing
import WebPushCrypto

@testable import PushDelivery

@Suite("Origins that are known")
struct KnownOriginsTests {
  private let policy = AddressPolicy()

  /// What is known once an endpoint at `origin` was sent to.
  private func known(_ origin: String) throws -> KnownOrigins {
    let known = KnownOrigins()
    known.keep(try policy.destination(from: origin + "/first?x"))
    return known
  }

  @Test(
    "an endpoint of a known origin leads where the whole look says",
    arguments: ["/", "/a", "/a?b=c&d", "//", "/../b", "/%2f", "/@evil.example/", "/:80", "/a'b\"c{}|^`"])
  func same(target: String) throws {
    for origin in ["https://push.example.net", "https://push.example.net:8443", "https://93.184.216.34"] {
      let endpoint = try policy.endpoint(from: origin + target)
      let quick = try #require(try known(origin).destination(of: endpoint))
      #expect(quick == (try policy.destination(from: endpoint.url)))
    }
  }

  @Test(
    "what does not begin with the origin as it stands, or is malformed behind it, is looked at as a whole",
    arguments: [
      "https://push.example.net", "https://push.example.net?a", "https://push.example.net@evil.example/",
      "https://push.example.net.evil.example/", "https://push.example.net:8443/",
      "https://push.example.net:443/", "https://push.example.net./", "HTTPS://push.example.net/",
      "https://PUSH.example.net/", "http://push.example.net/", "https://push.example.net\\@evil.example/",
      "https://push.example.net/#f", "https://push.example.net/a b", "https://push.example.net/\u{7f}",
      "https://push.example.net/\r\nX: y", "https://push.example.net/é", "https://push.example.net/a\\b",
      "https://push.example.net/" + String(repeating: "x", count: 1_000), "",
    ])
  func passedOver(url: String) throws {
    let endpoint = Endpoint(validatedURL: url, origin: "https://push.example.net")
    #expect(try known("https://push.example.net").destination(of: endpoint) == nil)
  }

  @Test(
    "no endpoint of the table gets past its verdict for an origin that is known",
    arguments: SSRFVectors.all.urls)
  func hostile(row: SSRFVectors.Row) {
    guard !row.passesByText else { return }
    let known = KnownOrigins()
    if let permitted = try? policy.destination(from: "https://push.example.net/") { known.keep(permitted) }
    let endpoint = Endpoint(validatedURL: row.url, origin: "https://push.example.net")
    #expect(known.destination(of: endpoint) == nil)
  }

  @Test("no path is kept, only where the origin leads")
  func pathless() throws {
    let origin = "https://push.example.net:8443"
    let kept = try #require(try known(origin).kept(at: origin))
    #expect(kept == (try policy.destination(from: origin + "/")))
  }

  @Test("an origin that nobody sent to is not known, and no more are remembered than there is room for")
  func bounded() throws {
    let known = KnownOrigins()
    func endpoint(_ number: Int) throws -> Endpoint {
      try policy.endpoint(from: "https://push-\(number).example.net/up")
    }
    #expect(known.destination(of: try endpoint(0)) == nil)
    for number in 0...KnownOrigins.maximum { known.keep(try policy.destination(from: endpoint(number).url)) }
    #expect(known.destination(of: try endpoint(0)) == nil)
    #expect(known.destination(of: try endpoint(KnownOrigins.maximum)) != nil)
  }
}
