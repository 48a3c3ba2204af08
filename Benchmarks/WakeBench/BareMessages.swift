import CryptoPrimitives
import Foundation
import WebPushCrypto

/// What the bare loop and the peers are given: one phone's keys, one sender's key, and a plaintext that fills a body.
struct BareMessages {
  /// Octets of a plaintext that makes a body of 256, as a wake has, without padding.
  private static let plaintextLength = 256 - 103

  let phone: UserAgentKeyPair
  let sender: VAPIDKeyPair
  let plaintext = [UInt8](repeating: UInt8(ascii: "w"), count: plaintextLength)

  init() throws {
    phone = try UserAgentKeyPair.generate()
    sender = try VAPIDKeyPair.generate()
  }

  func authorization(for origin: String) throws -> String {
    try VAPIDToken.signed(
      audience: origin, expiresAt: Int64(Date().timeIntervalSince1970) + 3_600, subject: nil, by: sender
    ).authorization
  }

  func body() throws -> [UInt8] { try WebPushMessage.encrypt(plaintext, for: phone.keys, bodyLength: 256) }

  func loop(to origin: String, trusting caFile: URL, connections: Int, http2: Bool = false) throws -> BareLoop
  {
    try BareLoop(
      origin: origin, caFile: caFile.path, plaintext: plaintext, keys: phone.keys,
      authorization: authorization(for: origin), connections: connections, http2: http2)
  }
}
