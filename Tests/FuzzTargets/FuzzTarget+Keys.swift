import CryptoPrimitives
import EndpointRegistry
import WebPushCrypto

extension FuzzTarget {
  /// Keys of a subscription (two lines), a public key and a private scalar as octets, and a service key's file.
  static let keys = FuzzTarget("keys", lengthMaximum: 256) { octets in
    let lines = octets.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.count == 2, let keys = try? UserAgentKeys(p256dh: lines[0], auth: lines[1]) {
      try encrypt(to: keys)
      try require(!"\(keys)".contains(lines[0]) && !"\(keys)".contains(lines[1]), "a description shows keys")
    }
    if let key = try? P256PublicKey(uncompressed: octets) {
      try require(key.uncompressed == octets, "a public key is not kept as it is")
      try encrypt(to: UserAgentKeys(uaPublic: key, authSecret: Array(repeating: 7, count: 16)))
    }
    if let pair = try? VAPIDKeyPair(privateScalar: octets) {
      try require(octets.count == 32, "a scalar of another length is accepted")
      try require(!"\(pair)".contains(Base64URL.encode(octets)), "a description shows a private key")
    }
    let key = try ScratchFile.with(octets) { path in try? ServiceKeySource.file(path).load() }
    if let key {
      let text = key.withOctets { Base64URL.encode($0) }
      try require(
        String(decoding: octets, as: UTF8.self).contains(text), "a service key is not what its file says")
    }
  }

  private static func encrypt(to keys: UserAgentKeys) throws {
    let message = try WebPushMessage.encrypt([1, 2, 3], for: keys, bodyLength: 256)
    try require(message.count == 256, "a message has another length than asked for")
  }
}
