import CryptoPrimitives
import HTTPListener
import StandIns
import WebPushCrypto

/// A message as a sender that makes no mistake sends it, until a test makes one.
struct SamplePush {
  /// 2026-01-01 00:00:00 UTC.
  static let now: Int64 = 1_767_225_600
  static let origin = "https://push.example"

  let key: VAPIDKeyPair
  var method = "POST"
  var target = "/up/phone"
  var body: [UInt8]
  private(set) var fields: [(name: String, value: String)]

  init(signedBy key: VAPIDKeyPair? = nil) throws {
    let key = try key ?? VAPIDKeyPair.generate()
    self.key = key
    body = try WebPushMessage.encrypt([1, 2, 3], for: UserAgentKeyPair.generate().keys, bodyLength: 256)
    fields = [
      ("Host", "push.example"), ("TTL", "86400"), ("Urgency", "high"),
      ("Topic", "abcdefghABCDEFGH0123456789ABCDEF"), ("Content-Encoding", "aes128gcm"),
      ("Content-Type", "application/octet-stream"),
    ]
    try claim(#""aud":"\#(Self.origin)","exp":\#(Self.now + 43_200)"#)
  }

  /// Puts these values in the place of a field; with none it is left out.
  mutating func set(_ name: String, _ values: String...) {
    fields.removeAll { $0.name == name }
    fields += values.map { (name, $0) }
  }

  /// Puts a token of these claims, correctly signed, in the place of the one that it has.
  mutating func claim(_ members: String) throws {
    let parts = [#"{"typ":"JWT","alg":"ES256"}"#, "{\(members)}"].map { Base64URL.encode(Array($0.utf8)) }
    let signed = parts.joined(separator: ".")
    let signature = Base64URL.encode(try key.key.signature(for: Array(signed.utf8)))
    set("Authorization", "vapid t=\(signed).\(signature), k=\(key.publicKey)")
  }

  /// The same token with other claims than `aud` and `exp` besides.
  mutating func claim(subject: String) throws {
    try claim(#""aud":"\#(Self.origin)","exp":\#(Self.now + 43_200),"sub":\#(subject)"#)
  }

  /// A body of these parts, whose record nobody can decrypt.
  mutating func setBody(recordSize: UInt32 = 4_096, keyid: [UInt8]? = nil, record: Int) {
    let salt = [UInt8](repeating: 7, count: 16)
    let keyid = keyid ?? Array(body[21..<86])
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: recordSize >> $0) }
    body = salt + size + [UInt8(keyid.count)] + keyid + [UInt8](repeating: 9, count: record)
  }

  var received: ReceivedPush {
    ReceivedPush(
      HTTPRequest(method: method, target: target, headers: fields, body: body), scheme: "https",
      nowSeconds: Self.now)
  }
}
