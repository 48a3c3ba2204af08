/// One HTTP/1.x request as it came over the wire.
public struct RawRequest: Sendable {
  /// Everything from the method to the end of the body.
  public let octets: [UInt8]
  /// The number of octets before the body.
  public let headLength: Int
  /// The connection that it came on, counted from 0 in the order of acceptance.
  public let connection: Int
  /// The request's place on its connection, counted from 0.
  public let indexOnConnection: Int

  /// The lines of the head, without their CRLF and without the empty one.
  public var lines: [String] {
    String(decoding: octets[..<headLength], as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  /// `POST`, `GET`…
  public var method: String { Self.word(0, of: lines.first) }

  /// The request target, octet for octet.
  public var target: String { Self.word(1, of: lines.first) }

  /// The header fields in order.
  public var headers: [(name: String, value: String)] {
    lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return (name: String(line[..<colon]), value: String(value))
    }
  }

  /// The value of the first field of that name.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body.
  public var body: [UInt8] { Array(octets[headLength...]) }

  private static func word(_ index: Int, of line: String?) -> String {
    let words = (line ?? "").split(separator: " ", omittingEmptySubsequences: false)
    return index < words.count ? String(words[index]) : ""
  }
}
