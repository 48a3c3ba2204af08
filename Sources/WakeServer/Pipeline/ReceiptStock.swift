internal import CryptoPrimitives

/// Fresh receipts for the wakes of a page, drawn together: that costs the generator hardly more than one.
struct ReceiptStock {
  /// Random octets of a receipt: 22 base64url characters.
  static let octets = 16

  private let random: RandomOctets
  private let atOnce: Int
  private var drawn: [UInt8] = []

  /// A stock that draws `atOnce` receipts, at least one, when one is wanted and none is left.
  init(_ random: RandomOctets, atOnce: Int) {
    self.random = random
    self.atOnce = max(atOnce, 1)
  }

  /// A receipt that nobody had before.
  mutating func next() -> String {
    if drawn.isEmpty { drawn = random(Self.octets * atOnce) }
    defer { drawn.removeLast(Self.octets) }
    return Base64URL.encode(Array(drawn.suffix(Self.octets)))
  }
}
