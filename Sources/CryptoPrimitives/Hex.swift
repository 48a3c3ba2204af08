/// Lower-case hexadecimal.
package enum Hex {
  /// Two digits for each octet.
  package static func encode(_ octets: [UInt8]) -> String {
    unsafe String(unsafeUninitializedCapacity: octets.count * 2) { characters in
      for (index, octet) in octets.enumerated() {
        unsafe characters[2 * index] = digits[Int(octet >> 4)]
        unsafe characters[2 * index + 1] = digits[Int(octet & 0x0f)]
      }
      return octets.count * 2
    }
  }

  /// The octets of an even number of digits, upper or lower case; nil for anything else.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 2 == 0 else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(characters.count / 2)
    for index in stride(from: 0, to: characters.count, by: 2) {
      guard let high = value(of: characters[index]), let low = value(of: characters[index + 1]) else {
        return nil
      }
      octets.append(high << 4 | low)
    }
    return octets
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
