/// The form of a Host field: `uri-host [ ":" port ]` (RFC 9110 §7.2), narrowed to what a host on a network can have.
enum HostField {
  /// Whether `text` is a name of letters, digits, `-`, `.`, `_` and `~`, or an address in brackets, with or without
  /// a port. The sub-delimiters and percent-encodings that RFC 3986 would allow name no host that exists.
  static func isValid(_ text: String) -> Bool {
    var rest = Substring(text).utf8
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let address = rest[rest.index(after: rest.startIndex)..<end]
      guard address.contains(UInt8(ascii: ":")), address.allSatisfy(isAddressOctet) else { return false }
      rest = rest[rest.index(after: end)...]
    } else {
      let name = rest.prefix { $0 != UInt8(ascii: ":") }
      guard !name.isEmpty, name.allSatisfy(isNameOctet) else { return false }
      rest = rest[name.endIndex...]
    }
    guard let colon = rest.first else { return true }
    let port = rest.dropFirst()
    return colon == UInt8(ascii: ":") && (1...5).contains(port.count) && port.allSatisfy(isDigit)
  }

  private static func isDigit(_ octet: UInt8) -> Bool { (0x30...0x39).contains(octet) }

  private static func isLetter(_ octet: UInt8) -> Bool { (0x61...0x7A).contains(octet | 0x20) }

  private static func isNameOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: isDigit(octet) || isLetter(octet)
    }
  }

  private static func isAddressOctet(_ octet: UInt8) -> Bool {
    isDigit(octet) || (0x61...0x66).contains(octet | 0x20) || octet == UInt8(ascii: ":")
      || octet == UInt8(ascii: ".")
  }
}
