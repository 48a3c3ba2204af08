internal import CryptoPrimitives

/// The pauses between attempts: 1, 2, 4 … seconds and a random part more, 30 s at most.
struct CompanionBackoff: Sendable {
  /// Where a server names no pause.
  static let firstMilliseconds = 1_000
  /// The longest pause is a quarter longer.
  static let lastMilliseconds = 24_000
  /// The longest pause that a server may ask for: an hour.
  static let requestedMaximum = 3_600_000

  private var attempts = 0

  /// The next pause in milliseconds. `requested` is the server's wish for the first one, and is never gone below.
  mutating func next(requested: Int? = nil, random: RandomOctets) -> Int {
    let first = min(max(1, requested ?? Self.firstMilliseconds), Self.requestedMaximum)
    // 2^15 times the shortest is beyond every bound.
    let grown = min(first << min(attempts, 15), max(first, Self.lastMilliseconds))
    attempts += 1
    let octets = random(2)
    let part = Int(octets[0]) << 8 | Int(octets[1])
    return grown + grown * part / (4 * 65_536)
  }

  /// The last attempt went well.
  mutating func reset() { attempts = 0 }
}
