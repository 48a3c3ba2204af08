extension JSONValue {
  /// One line of UTF-8 without white space between tokens.
  package func serialized() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.octets
  }

  /// What `serialized()` gives, as a string.
  package var text: String { String(decoding: serialized(), as: UTF8.self) }
}
