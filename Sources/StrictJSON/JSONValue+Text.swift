extension JSONValue {
  /// One line of UTF-8 without white space between tokens.
  package func serialized() -> [UInt8] { written(indent: nil) }

  /// What `serialized()` gives, as a string.
  package var text: String { String(decoding: serialized(), as: UTF8.self) }

  /// Several lines for people, two spaces a level, without a line end after the last.
  package var pretty: String { String(decoding: written(indent: 2), as: UTF8.self) }

  private func written(indent: Int?) -> [UInt8] {
    var writer = JSONWriter(indent: indent)
    writer.write(self)
    return writer.octets
  }
}
