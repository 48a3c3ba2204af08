import CryptoPrimitives
import Foundation
import Synchronization
import Testing
import WebPushCrypto

@Suite("Messages made in a workspace and through EVP")
struct BothWaysTests {
  typealias Encrypt =
    @Sendable (
      [UInt8], UserAgentKeys, [UInt8], P256PrivateKey, Int, Int
    ) throws(WebPushCryptoError) -> [UInt8]

  /// Both ways from plaintext, keys, salt, private key, padding and record size to a body.
  static let ways: [(name: String, encrypt: Encrypt)] = [
    (
      "in a workspace",
      { (plaintext, keys, salt, asPrivate, padding, recordSize) throws(WebPushCryptoError) in
        try WebPushMessage.encrypt(
          plaintext, for: keys, salt: salt, asPrivate: asPrivate, padding: padding, recordSize: recordSize)
      }
    ),
    (
      "through EVP",
      { (plaintext, keys, salt, asPrivate, padding, recordSize) throws(WebPushCryptoError) in
        try WebPushMessage.encryptByEVP(
          plaintext, for: keys, salt: salt, asPrivate: asPrivate, padding: padding, recordSize: recordSize)
      }
    ),
  ]

  @Test("the same salt and the same pair give the same octets, whatever the message")
  func same() throws {
    for number in 0..<400 {
      let pair = try UserAgentKeyPair.generate()
      let plaintext = RandomOctets.system(number * 10)
      let padding = min(number % 7 * 50, WebPushMessage.plaintextLengthMaximum - plaintext.count)
      let (salt, asPrivate) = (RandomOctets.system(16), try P256PrivateKey.generate())
      let bodies = try Self.ways.map { way in
        try way.encrypt(plaintext, pair.keys, salt, asPrivate, max(0, padding), 4_096)
      }
      #expect(bodies[0] == bodies[1], "\(plaintext.count) octets, \(padding) of padding")
      #expect(try WebPushMessage.decrypt(bodies[0], with: pair) == plaintext)
    }
  }

  @Test("what one way refuses the other refuses for the same reason")
  func refusals() throws {
    let keys = try UserAgentKeyPair.generate().keys
    let asPrivate = try P256PrivateKey.generate()
    let salt = RandomOctets.system(16)
    let wrong: [(length: Int, salt: [UInt8], padding: Int, recordSize: Int, error: WebPushCryptoError)] = [
      (3_994, salt, 0, 4_096, .plaintextTooLong(maximum: 3_993)),
      (3_993, salt, 1, 4_096, .plaintextTooLong(maximum: 3_992)),
      (1, salt, .max, 4_096, .plaintextTooLong(maximum: 0)), (1, salt, -1, 4_096, .paddingLength),
      (2, salt, 0, 18, .plaintextTooLong(maximum: 1)), (0, salt, 0, 17, .recordSizeTooSmall),
      (0, salt, 0, .max, .recordSizeTooLarge), (0, [1], 0, 4_096, .saltLength),
      (0, salt + [0], 0, 4_096, .saltLength),
    ]
    for (name, encrypt) in Self.ways {
      for (length, salt, padding, recordSize, error) in wrong {
        #expect(throws: error, "\(name)") {
          try encrypt([UInt8](repeating: 1, count: length), keys, salt, asPrivate, padding, recordSize)
        }
      }
    }
  }

  @Test("more threads at once than workspaces are kept: every message opens, none shares salt or pair")
  func threads() throws {
    let pair = try UserAgentKeyPair.generate()
    let (threads, messages) = (24, 40)
    let bodies = Mutex<[[UInt8]]>([])
    let ended = DispatchGroup()
    for number in 0..<threads {
      ended.enter()
      Thread {
        for message in 0..<messages {
          let body = try? WebPushMessage.encrypt(
            [UInt8(number), UInt8(message)], for: pair.keys, bodyLength: 256)
          bodies.withLock { $0.append(body ?? []) }
        }
        ended.leave()
      }.start()
    }
    ended.wait()
    let all = bodies.withLock { $0 }
    let opened = try Set(all.map { try WebPushMessage.decrypt($0, with: pair) })
    #expect(opened.count == threads * messages)
    #expect(Set(all.map { Array($0[..<16]) }).count == threads * messages)
    #expect(Set(all.map { Array($0[21..<86]) }).count == threads * messages)
  }
}
