import TestSupport

/// `Fixtures/rfc/rfc_examples.json`: the worked examples of the three RFCs.
struct RFCExamples: Codable {
  struct Message: Codable {
    var plaintext: Octets
    var as_private, as_public, ua_private, ua_public: Octets
    var salt, auth, body: Octets
    var ikm, cek, nonce: Octets
  }

  struct Content: Codable {
    var key, body: Octets
    var plaintext: String
    var section: String
    var rs: Int?
    var keyid: String?
  }

  struct Token: Codable {
    struct Claims: Codable {
      var aud: String
      var exp: Int64
      var sub: String
    }
    var t, k: String
    var claims: Claims
  }

  var _about: String
  var rfc8291: Message
  var rfc8188: [Content]
  var rfc8292: Token

  static func read() throws -> RFCExamples {
    try StrictDecoding.decode(RFCExamples.self, from: Fixtures.data("rfc/rfc_examples.json"))
  }
}
