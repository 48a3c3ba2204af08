internal import CryptoPrimitives

/// The id of an alert, and a cursor into a stack's alerts: `<epoch>-<number>`.
/// Numbers count from 1 per stack, without gaps, in commit order; `<epoch>-0` is the cursor before the first.
package struct AlertID: Sendable, Hashable, CustomStringConvertible {
  /// Eight characters of `[a-z2-7]`, minted with the stack and anew when a backup is restored.
  package let epoch: String
  /// 0 (a cursor alone) or the alert's number.
  package let number: Int64

  init(epoch: String, number: Int64) {
    self.epoch = epoch
    self.number = number
  }

  /// An epoch for a new stack: 40 random bits, five octets to a Base32 group.
  static func mintedEpoch(_ random: RandomOctets) -> String {
    Base32.encode(random(5))
  }

  /// Nil where `text` is anything but an epoch, `-`, and a canonical decimal that fits (no sign, no leading zero).
  package init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Base32.isText(parts[0], count: 8) else { return nil }
    let digits = parts[1].utf8
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.count == 1 || digits.first != 0x30, let number = Int64(parts[1])
    else { return nil }
    epoch = String(parts[0])
    self.number = number
  }

  /// `<epoch>-<number>`.
  package var text: String { "\(epoch)-\(number)" }
  /// The same as `text`.
  package var description: String { text }
}
