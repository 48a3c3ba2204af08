import HTTPListener
import StandIns
import Testing
import WebPushCrypto

@Suite("What a strict push server checks, one fault at a time")
struct PushCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let part: PushFault.Part
    let words: String
    let change: @Sendable (inout SamplePush) throws -> Void

    init(
      _ part: PushFault.Part, _ words: String, _ change: @escaping @Sendable (inout SamplePush) throws -> Void
    ) {
      self.part = part
      self.words = words
      self.change = change
    }

    var testDescription: String { "\(part.rawValue) \(words)" }
  }

  private static func claims(_ aud: String = "https://push.example", exp: String) -> String {
    #""aud":"\#(aud)","exp":\#(exp)"#
  }

  private static let soon = "\(SamplePush.now + 60)"

  static let token: [Case] = [
    Case(.authorization, "is missing") { $0.set("Authorization") },
    Case(.authorization, "comes 2 times") { push in
      let value = push.fields.first { $0.name == "Authorization" }?.value ?? ""
      push.set("Authorization", value, value)
    },
    Case(.authorization, "is not `vapid") { $0.set("Authorization", "Bearer abc") },
    Case(.authorization, "is not `vapid") { $0.set("Authorization", "vapid t=abc") },
    Case(.authorization, "k is not a public key") { $0.set("Authorization", "vapid t=a.b.c, k=abc") },
    Case(.authorization, "is not an ES256 token") { push in
      push.set("Authorization", "vapid t=abc, k=\(push.key.publicKey)")
    },
    Case(.authorization, "did not sign") { push in
      let other = try VAPIDKeyPair.generate().publicKey
      let value = push.fields.first { $0.name == "Authorization" }?.value ?? ""
      push.set("Authorization", value.replacing(push.key.publicKey, with: other))
    },
    Case(.audience, "and this is") { try $0.claim(claims("https://other.example", exp: soon)) },
    Case(.audience, "and this is") { try $0.claim(claims("http://push.example", exp: soon)) },
    Case(.audience, "is no origin") { try $0.claim(claims("https://push.example/", exp: soon)) },
    Case(.audience, "is no origin") { try $0.claim(claims("https://push.example:443", exp: soon)) },
    Case(.audience, "is no origin") { try $0.claim(#""exp":\#(soon)"#) },
    Case(.expiry, "has passed") { try $0.claim(claims(exp: "\(SamplePush.now)")) },
    Case(.expiry, "is more than") { try $0.claim(claims(exp: "\(SamplePush.now + 86_401)")) },
    Case(.expiry, "whole number") { try $0.claim(claims(exp: "\"\(soon)\"")) },
    Case(.expiry, "whole number") { try $0.claim(claims(exp: "\(soon).5")) },
    Case(.expiry, "whole number") { try $0.claim(#""aud":"https://push.example""#) },
    Case(.subject, "is no string") { try $0.claim(subject: "1") },
    Case(.subject, "neither mailto: nor https:") { try $0.claim(subject: #""http://box.example""#) },
    Case(.subject, "neither mailto: nor https:") { try $0.claim(subject: #""mailto:""#) },
    Case(.subject, "names localhost") { try $0.claim(subject: #""mailto:me@localhost""#) },
    Case(.subject, "names localhost") { try $0.claim(subject: #""https://box.local/contact""#) },
  ]

  static let message: [Case] = [
    Case(.method, "is not POST") { $0.method = "PUT" },
    Case(.ttl, "is missing") { $0.set("TTL") },
    Case(.ttl, "comes 2 times") { $0.set("TTL", "60", "60") },
    Case(.ttl, "in digits") { $0.set("TTL", "-1") },
    Case(.ttl, "in digits") { $0.set("TTL", "60s") },
    Case(.ttl, "in digits") { $0.set("TTL", "") },
    Case(.ttl, "is above") { $0.set("TTL", "2147483648") },
    Case(.ttl, "is above") { $0.set("TTL", "99999999999999999999") },
    Case(.urgency, "is not very-low") { $0.set("Urgency", "urgent") },
    Case(.urgency, "comes 2 times") { $0.set("Urgency", "high", "high") },
    Case(.topic, "has 33 characters") { $0.set("Topic", String(repeating: "a", count: 33)) },
    Case(.topic, "has 0 characters") { $0.set("Topic", "") },
    Case(.topic, "beyond base64url") { $0.set("Topic", "abc+") },
    Case(.topic, "no octets") { $0.set("Topic", "abcde") },
    Case(.topic, "comes 2 times") { $0.set("Topic", "abcd", "abcd") },
    Case(.encoding, "is missing") { $0.set("Content-Encoding") },
    Case(.encoding, "is not aes128gcm") { $0.set("Content-Encoding", "aesgcm") },
    Case(.encoding, "is not aes128gcm") { $0.set("Content-Encoding", "aes128gcm, gzip") },
    Case(.encoding, "comes 2 times") { $0.set("Content-Encoding", "aes128gcm", "aes128gcm") },
    Case(.encoding, "of a draft") { $0.set("Crypto-Key", "dh=abc") },
    Case(.length, "there is no body") { $0.body = [] },
    Case(.length, "is 4097 octets") { $0.setBody(record: 4_097 - 86) },
    Case(.record, "ends before its header") { $0.body = Array($0.body.prefix(20)) },
    Case(.record, "17 octets or more") { $0.setBody(record: 16) },
    Case(.record, "below 18") { $0.setBody(recordSize: 17, record: 17) },
    Case(.record, "is not the 65 octets") { $0.setBody(keyid: [], record: 170) },
    Case(.record, "is not an uncompressed point") {
      $0.setBody(keyid: [UInt8](repeating: 4, count: 65), record: 170)
    },
    Case(.record, "more than one record") { $0.setBody(recordSize: 100, record: 101) },
  ]

  @Test("a message as the service sends it is in order, and so is one with the least that is needed")
  func inOrder() throws {
    var push = try SamplePush()
    #expect(PushCheck.faults(of: push.received) == [])
    try push.claim(subject: #""mailto:me@box.example?subject=push""#)
    #expect(PushCheck.faults(of: push.received) == [])
    for name in ["Urgency", "Topic", "Content-Type"] { push.set(name) }
    push.set("TTL", "0")
    push.set("Content-Encoding", "AES128GCM")
    push.set("Host", "PUSH.example:443")
    try push.claim(#""aud":"https://push.example","exp":\#(SamplePush.now + 86_400)"#)
    push.setBody(record: 4_096 - 86)
    #expect(PushCheck.faults(of: push.received) == [])
  }

  @Test("a fault of the token is found, and nothing else is", arguments: token)
  func faultOfTheToken(_ fault: Case) throws { try expectAlone(fault) }

  @Test("a fault of the message is found, and nothing else is", arguments: message)
  func faultOfTheMessage(_ fault: Case) throws { try expectAlone(fault) }

  private func expectAlone(_ fault: Case) throws {
    var push = try SamplePush()
    try fault.change(&push)
    let faults = PushCheck.faults(of: push.received)
    #expect(faults.map(\.part) == [fault.part])
    #expect(faults.first?.detail.contains(fault.words) == true, "\(faults)")
  }

  @Test("every part has a case here, save the key, which the rules know, and what no message comes of")
  func completeness() {
    let tried = Set((Self.token + Self.message).map(\.part))
    #expect(tried == Set(PushFault.Part.allCases).subtracting([.key, .framing]))
  }

  @Test("what is said of a fault holds neither path nor key nor token")
  func secrecy() throws {
    for fault in Self.token + Self.message {
      var push = try SamplePush()
      push.target = "/up/secret-endpoint"
      try fault.change(&push)
      let said = PushCheck.faults(of: push.received).map(\.detail).joined()
      #expect(!said.contains("secret") && !said.contains(push.key.publicKey))
      for part in push.fields.first(where: { $0.name == "Authorization" })?.value.split(separator: ".") ?? []
      where part.count > 20 { #expect(!said.contains(part)) }
    }
  }
}
