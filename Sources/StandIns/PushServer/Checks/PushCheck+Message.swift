internal import HTTPListener
internal import WebPushCrypto

/// The checks of the fields and the body (RFC 8030 §5, RFC 8291 §4).
extension PushCheck {
  /// The longest `TTL`: what fits in 31 bits, the least that a server has to understand of a time span (RFC 9111 §1.2.2).
  private static let ttlMaximum = 2_147_483_647
  /// Characters of a `Topic` (RFC 8030 §5.4).
  private static let topicLengthMaximum = 32

  /// One `TTL` of digits (RFC 8030 §5.2).
  static let ttl = PushCheck(.ttl) { push in
    one("TTL", of: push, isRequired: true) { value in
      guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return "is not a number of seconds in digits"
      }
      guard let seconds = Int(value), seconds <= ttlMaximum else { return "is above \(ttlMaximum)" }
      return nil
    }
  }

  /// At most one `Urgency`, of the four words (RFC 8030 §5.3).
  static let urgency = PushCheck(.urgency) { push in
    one("Urgency", of: push) { value in
      ["very-low", "low", "normal", "high"].contains(value)
        ? nil : "is not very-low, low, normal or high"
    }
  }

  /// At most one `Topic`, of at most 32 characters of base64url (RFC 8030 §5.4) that can be what octets are written as.
  static let topic = PushCheck(.topic) { push in
    one("Topic", of: push) { value in
      guard (1...topicLengthMaximum).contains(value.utf8.count) else {
        return "has \(value.utf8.count) characters, not 1 to \(topicLengthMaximum)"
      }
      guard value.utf8.allSatisfy(isBase64URL) else { return "has characters beyond base64url" }
      return value.utf8.count % 4 == 1 ? "is not base64url: no octets have such a length" : nil
    }
  }

  /// `Content-Encoding: aes128gcm`, once, and nothing of the drafts before it.
  static let encoding = PushCheck(.encoding) { push in
    for draft in ["Encryption", "Crypto-Key"] where push.request.header(draft) != nil {
      return "is of a draft: there is a field \(draft)"
    }
    return one("Content-Encoding", of: push, isRequired: true) { value in
      value.lowercased() == "aes128gcm" ? nil : "is not aes128gcm"
    }
  }

  /// 1 to 4096 octets (RFC 8030 §7.2).
  static let length = PushCheck(.length) { push in
    let count = push.request.body.count
    if count == 0 { return "is 0: there is no body" }
    let maximum = WebPushMessage.bodyLengthMaximum
    return count <= maximum ? nil : "is \(count) octets, above \(maximum)"
  }

  /// One record of RFC 8188 whose header names a public key.
  static let record = PushCheck(.record) { push in
    guard !push.request.body.isEmpty else { return nil }
    do throws(WebPushCryptoError) {
      try WebPushMessage.checkForm(of: push.request.body)
      return nil
    } catch {
      switch error {
      case .truncated: return "ends before its header, or before a record of 17 octets or more"
      case .recordSizeTooSmall: return "has an rs below 18"
      case .keyidLength: return "has a keyid that is not the 65 octets of a public key"
      case .keyidNotAPoint: return "has a keyid that is not an uncompressed point on P-256"
      case .notOneRecord: return "is longer than rs: more than one record"
      default: return "is not a body of aes128gcm"
      }
    }
  }

  private static func one(
    _ name: String, of push: ReceivedPush, isRequired: Bool = false, _ detail: (String) -> String?
  ) -> String? {
    let values = push.request.values(of: name)
    guard let first = values.first else { return isRequired ? "is missing" : nil }
    return values.count == 1 ? detail(first) : "comes \(values.count) times"
  }

  private static func isBase64URL(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
