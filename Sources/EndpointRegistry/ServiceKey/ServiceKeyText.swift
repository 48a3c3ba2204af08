internal import CryptoPrimitives

/// The form of a service key: one line, `wake-service-key-1`, a space, and 43 base64url characters.
enum ServiceKeyText {
  private static let name = "wake-service-key-1"
  /// The name, a space, ceil(32 · 8 / 6) characters and a line end of one or two.
  static let lengthMaximum = name.utf8.count + 1 + 43 + 2

  /// The line for a key, with its line end.
  static func make(_ key: [UInt8]) -> [UInt8] {
    Array("\(name) \(Base64URL.encode(key))\n".utf8)
  }

  /// The key in `octets`; `place` names where they come from in the error.
  static func parse(_ octets: [UInt8], from place: String) throws(RegistryError) -> SecretOctets {
    guard !octets.isEmpty else {
      throw .serviceKeyUnusable("\(place) is empty: restore it from where it is kept")
    }
    var line = octets[...]
    if line.last == 0x0A { line = line.dropLast() }
    if line.last == 0x0D { line = line.dropLast() }
    let prefix = Array("\(name) ".utf8)
    guard line.starts(with: prefix),
      let text = String(validating: line.dropFirst(prefix.count), as: UTF8.self),
      let key = Base64URL.decode(text), key.count == StoreKeys.keyLength
    else {
      throw .serviceKeyUnusable(
        "\(place) is not a service key: it has to be one line, \(name) and 43 base64url characters")
    }
    return SecretOctets(key)
  }
}
