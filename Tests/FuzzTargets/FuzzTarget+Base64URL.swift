import CryptoPrimitives
import Foundation

extension FuzzTarget {
  /// base64url. No octets have two accepted spellings, and the reader of Foundation agrees.
  static let base64url = FuzzTarget("base64url", lengthMaximum: 256) { octets in
    try require(
      Base64URL.decode(Base64URL.encode(octets)) == octets, "what was encoded decodes to something else")
    try require(Hex.decode(Hex.encode(octets)) == octets, "hexadecimal digits decode to something else")
    let text = String(decoding: octets, as: UTF8.self)
    let either = Base64URL.decodeEitherAlphabet(text)
    if let decoded = Base64URL.decode(text) {
      try require(Base64URL.encode(decoded) == text, "two spellings of the same octets are accepted")
      try require(either == decoded, "the lenient reader reads something else than the strict one")
    }
    guard let either else { return }
    var standard = text.replacing("-", with: "+").replacing("_", with: "/").filter { $0 != "=" }
    standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
    try require(Data(base64Encoded: standard) == Data(either), "another reader reads something else")
  }
}
