package import EndpointRegistry
internal import StrictJSON
package import WebPushCrypto

/// The plaintext of a wake: which stack has something to say, and nothing of what.
package struct WakePayload: Sendable {
  /// The form of the plaintext (`v`).
  static let version: Int64 = 1
  /// Octets of every wake's body, whatever it says: an id of 64 octets still fits, and every wake looks alike.
  package static let bodyOctets = 256

  package let stack: StackID
  package let catalogueVersion: String
  /// A random value that the companion hands back (`w`): 22 base64url characters.
  package let receipt: String

  package init(stack: StackID, catalogueVersion: String, receipt: String) {
    self.stack = stack
    self.catalogueVersion = catalogueVersion
    self.receipt = receipt
  }

  /// `{"v":1,"s":…,"mv":…,"w":…}` in UTF-8.
  package var plaintext: [UInt8] {
    JSONValue.object([
      "v": .integer(Self.version), "s": .string(stack.text), "mv": .string(catalogueVersion),
      "w": .string(receipt),
    ]).serialized()
  }

  /// The wake's body for one subscription, with a salt and an ephemeral key of its own (RFC 8291).
  package func encrypted(for keys: UserAgentKeys) throws(WebPushCryptoError) -> [UInt8] {
    try WebPushMessage.encrypt(plaintext, for: keys, bodyLength: Self.bodyOctets)
  }
}
