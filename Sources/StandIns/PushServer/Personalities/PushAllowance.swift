/// So many messages at once, and then one in a while: how a push server limits who sends too much.
struct PushAllowance: Sendable {
  private let most: Int
  private let secondsEach: Int64
  private var left: Int
  /// When it was counted up last, in seconds since 1970; nil before the first message.
  private var countedAt: Int64?

  /// `most` messages at once, and one more every `secondsEach`.
  init(_ most: Int, secondsEach: Int64) {
    self.most = most
    self.secondsEach = secondsEach
    left = most
  }

  /// Takes one; false where none is left.
  mutating func take(atSeconds now: Int64) -> Bool {
    let counted = countedAt ?? now
    let grown = max(0, now - counted) / secondsEach
    left = Int(min(Int64(most), Int64(left) + grown))
    countedAt = counted + grown * secondsEach
    guard left > 0 else { return false }
    left -= 1
    return true
  }
}
