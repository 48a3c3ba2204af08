package import EndpointRegistry
internal import StrictJSON
package import WebPushCrypto

/// The plaintext of a stack's wakes: which stack has something to say, and nothing of what. All of it is the same for
/// every wake but the receipt.
package struct WakePayload: Sendable {
  /// The form of the plaintext (`v`).
  static let version: Int64 = 1
  /// Octets of every wake's body, whatever it says: an id of 64 octets still fits, and every wake looks alike.
  package static let bodyOctets = 256

  /// The plaintext with an empty receipt, which is its last member.
  private let octets: [UInt8]
  /// What follows the receipt: `"}`.
  private static let endOctets = 2

  /// The plaintext for wakes of `stack`, whose kinds have this version (`mv`).
  package init(stack: StackID, catalogueVersion: String) {
    octets =
      JSONValue.object([
        "v": .integer(Self.version), "s": .string(stack.text), "mv": .string(catalogueVersion), "w": "",
      ]).serialized()
  }

  /// `{"v":1,"s":…,"mv":…,"w":…}` in UTF-8. `receipt` is a random value that the companion hands back: 22 base64url
  /// characters, none of which JSON escapes.
  package func plaintext(receipt: String) -> [UInt8] {
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(octets.count + receipt.utf8.count)
    plaintext += octets.dropLast(Self.endOctets)
    plaintext += receipt.utf8
    plaintext += octets.suffix(Self.endOctets)
    return plaintext
  }

  /// The body of a wake to one subscription, with a salt and an ephemeral key of its own (RFC 8291).
  package func encrypted(
    receipt: String, for keys: UserAgentKeys
  ) throws(WebPushCryptoError) -> [UInt8] {
    try WebPushMessage.encrypt(plaintext(receipt: receipt), for: keys, bodyLength: Self.bodyOctets)
  }
}
