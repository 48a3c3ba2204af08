import CryptoPrimitives
import Foundation
import WebPushCrypto

/// Wakes encrypted on one core, beside what no implementation on this library can beat.
struct EncryptionBench {
  let seconds: Int

  /// The octets of a wake's plaintext with an id that the service made.
  private static let plaintext = Array(
    #"{"v":1,"s":"aaaaaaaaaaaaaaaaaaaaaaaaaa","mv":"00000000","w":"AAAAAAAAAAAAAAAAAAAAAA"}"#.utf8)

  func run(_ report: inout Report) throws {
    let phone = try P256PrivateKey.generate()
    let keys = try UserAgentKeys(
      p256dh: Base64URL.encode(phone.publicKey.uncompressed), auth: Base64URL.encode(RandomOctets.system(16)))
    let limit = try ScalarLimit(peer: phone.publicKey.uncompressed)
    // In turns, so that a slow moment of the machine falls on both.
    var (bare, encrypted) = (Rate(), Rate())
    for _ in 0..<seconds * Self.turnsPerSecond {
      bare.measure { limit.message() }
      try encrypted.measure { _ = try WebPushMessage.encrypt(Self.plaintext, for: keys, bodyLength: 256) }
    }
    report.add("two bare P-256 multiplications, one core", bare.perSecond, "messages/s", "the limit")
    report.add(
      "encryption (RFC 8291), one core", encrypted.perSecond, "messages/s",
      String(format: "%.2f of the limit", encrypted.perSecond / bare.perSecond))
    try onAllCores(keys, &report)
  }

  /// A thread for each core, beside one alone, in turns.
  private func onAllCores(_ keys: UserAgentKeys, _ report: inout Report) throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    var (one, all) = (0.0, 0.0)
    for _ in 0..<seconds {
      one += Self.rate(threads: 1, keys)
      all += Self.rate(threads: cores, keys)
    }
    report.add(
      "encryption, \(cores) threads", all / Double(seconds), "messages/s",
      String(format: "%.2f times one thread", all / one))
  }

  private static func rate(threads: Int, _ keys: UserAgentKeys) -> Double {
    let ended = DispatchGroup()
    let start = ContinuousClock.now
    for _ in 0..<threads {
      ended.enter()
      Thread {
        for _ in 0..<messagesOfAThread {
          _ = try? WebPushMessage.encrypt(plaintext, for: keys, bodyLength: 256)
        }
        ended.leave()
      }.start()
    }
    ended.wait()
    return Double(threads * messagesOfAThread) / ((ContinuousClock.now - start) / .seconds(1))
  }

  private static let messagesOfAThread = 5_000

  private static let turnsPerSecond = 5
}

/// How often something happens in a second of this thread's processor time: another program on the same core does not
/// count.
struct Rate {
  private var count = 0
  private var seconds = 0.0
  /// How long one turn lasts.
  private static let turn = Duration.milliseconds(100)

  mutating func measure(_ body: () throws -> Void) rethrows {
    let (start, used) = (ContinuousClock.now, Self.processorSeconds)
    repeat {
      try body()
      count += 1
    } while ContinuousClock.now - start < Self.turn
    seconds += Self.processorSeconds - used
  }

  var perSecond: Double { Double(count) / seconds }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}
