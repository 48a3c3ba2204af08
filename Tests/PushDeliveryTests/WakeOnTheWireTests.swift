import CryptoPrimitives
import PushDelivery
import TestSupport
import Testing
import WebPushCrypto

@Suite("The wake on the wire")
struct WakeOnTheWireTests {
  @Test("a wake is these octets and no others")
  func octets() async throws {
    let (answer, requests) = try await PushHarness.send(path: "/upAbC123?up=1") { _ in .status(201) }
    #expect(answer.outcome == .accepted)
    let request = try #require(requests.first)
    #expect(requests.count == 1)
    let host = try #require(request.header("host"))
    let head = [
      "POST /upAbC123?up=1 HTTP/1.1", "Host: \(host)", "TTL: 86400", "Urgency: high",
      "Topic: ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef", "Content-Encoding: aes128gcm",
      "Content-Type: application/octet-stream", "Authorization: vapid t=header.claims.signature, k=publickey",
      "Content-Length: 256", "", "",
    ].joined(separator: "\r\n")
    #expect(String(decoding: request.octets.prefix(request.headLength), as: UTF8.self) == head)
    #expect(request.body == Array(0...255))
  }

  @Test(
    "the request target is the endpoint's, octet for octet",
    arguments: [
      "/upAbC123?up=1", "/w/?token=aa%2fBB%3d%2b~c", "/p;x=1?a=1&a=2", "/%C3%A9/x", "/%c3%a9/x", "/a/../b",
      "/a/./b/", "/./", "/..", "/a//b", "/?", "/?x", "?x=1", "?", "", "/%00%0d%0a", "/a+b%20c",
      "/a'b\"c<d>e^f`g{h|i}j",
      "/@:!$&'()*,=", "/a?b?c?d", "/a?b=/../c", "/a?https://u:p@other.example/", "/*",
      "/" + String(repeating: "x", count: 900) + "?" + String(repeating: "y", count: 70),
    ])
  func target(path: String) async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      // The second time the push server is known.
      for _ in 0..<2 {
        let answer = await sender.send(try PushHarness.message(to: origin + path, policy))
        #expect(answer.outcome == .accepted)
      }
    }
    let target = path.hasPrefix("/") ? path : "/" + path
    #expect(server.requests.map(\.target) == [target, target])
  }

  @Test("the time to live is always there, in digits", arguments: [0, 60, 2_419_200])
  func ttl(seconds: Int) async throws {
    let (_, requests) = try await PushHarness.send(change: { $0.ttlSeconds = seconds }) { _ in .status(201) }
    #expect(requests.first?.header("TTL") == String(seconds))
  }

  @Test("every wake has the same fields in the same order, whatever it carries")
  func sameForAll() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for place in 0..<20 {
        var message = try PushHarness.message(to: "\(origin)/\(place)", policy)
        message.topic = Topic(secret: (0..<32).map { UInt8(truncatingIfNeeded: $0 * 7 + place) })
        message.body = (0..<256).map { UInt8(truncatingIfNeeded: $0 * place) }
        #expect(await sender.send(message).outcome == .accepted)
      }
    }
    let requests = server.requests
    #expect(requests.count == 20)
    #expect(Set(requests.map { $0.headers.map(\.name) }).count == 1)
    #expect(Set(requests.map(\.body.count)) == [256])
    #expect(server.accepted == 1)
  }

  @Test("wakes that go one after the other over one connection have the fields of their own")
  func ownFields() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    var sent: [WakeMessage] = []
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for place in 0..<12 {
        var message = try PushHarness.message(to: "\(origin)/\(place)", policy)
        message.topic = Topic(secret: (0..<32).map { UInt8(truncatingIfNeeded: $0 * 5 + place) })
        message.ttlSeconds = place < 6 ? 60 : 3_600
        message.authorization = "vapid t=token\(place / 3), k=key"
        sent.append(message)
        #expect(await sender.send(message).outcome == .accepted)
      }
    }
    #expect(server.accepted == 1)
    let requests = server.requests
    #expect(requests.map { $0.header("Topic") } == sent.map(\.topic.text))
    #expect(requests.map { $0.header("TTL") } == sent.map { String($0.ttlSeconds) })
    #expect(requests.map { $0.header("Authorization") } == sent.map(\.authorization))
    #expect(requests.map(\.target) == (0..<12).map { "/\($0)" })
  }

  @Test("an encrypted wake decrypts, and its token is for the origin alone")
  func encrypted() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let application = try VAPIDKeyPair.generate()
    let user = try UserAgentKeyPair.generate()
    try await PushHarness.withSender(allow: origin) { sender, policy in
      for _ in 0..<2 {
        var message = try PushHarness.message(to: origin + "/up?x=1", policy)
        message.body = try WebPushMessage.encrypt(Array("{}".utf8), for: user.keys, bodyLength: 256)
        message.authorization = try VAPIDTokenCache(subject: nil).authorization(
          for: message.endpoint.origin, key: application, nowMilliseconds: PushHarness.now)
        #expect(await sender.send(message).outcome == .accepted)
      }
    }
    let requests = server.requests
    #expect(requests.count == 2)
    for request in requests {
      #expect(request.body.count == 256)
      #expect(try WebPushMessage.decrypt(request.body, with: user) == Array("{}".utf8))
      let authorization = try #require(request.header("Authorization"))
      let claims = try VAPIDToken.verify(authorization: authorization)
      #expect(claims.audience == origin)
      #expect(claims.publicKey == application.publicKey)
      // The forms from before RFC 8291 (known fault: "corrupted message" at UnifiedPush distributors).
      #expect(request.header("Crypto-Key") == nil)
      #expect(request.header("Encryption") == nil)
      #expect(request.headers.filter { $0.name == "Content-Encoding" }.count == 1)
    }
    // Salt and ephemeral key are fresh each time.
    #expect(requests[0].body.prefix(16) != requests[1].body.prefix(16))
    #expect(requests[0].body[21..<86] != requests[1].body[21..<86])
  }
}
