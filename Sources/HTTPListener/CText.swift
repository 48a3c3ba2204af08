internal import Glibc

/// Texts in buffers of a C library.
enum CText {
  /// The octets before the NUL.
  static func count(_ text: UnsafePointer<CChar>) -> Int { unsafe strlen(text) }

  /// Whether a text that ends with NUL is `other`.
  static func isEqual(_ text: UnsafePointer<CChar>?, _ other: String) -> Bool {
    unsafe text.map { unsafe strcmp($0, other) == 0 } ?? false
  }

  /// A text that ends with NUL, and where it lies; octets that are no UTF-8 become U+FFFD.
  static func read(_ text: UnsafePointer<CChar>?) -> (text: String, part: HeadLayout.Part) {
    unsafe read(text, count: text.map { unsafe strlen($0) } ?? 0)
  }

  /// A text of known length, and where it lies.
  static func read(_ text: UnsafePointer<CChar>?, count: Int) -> (text: String, part: HeadLayout.Part) {
    let octets = unsafe UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : count)
    return unsafe (
      String(decoding: octets, as: UTF8.self), .init(start: UInt(bitPattern: text), count: octets.count)
    )
  }
}
