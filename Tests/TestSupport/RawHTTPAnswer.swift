import Foundation

/// One HTTP answer as it came over the wire.
public struct RawHTTPAnswer: Sendable, Equatable {
  /// 100 to 599.
  public var status: Int
  /// The fields in their order, values trimmed.
  public var headers: [(name: String, value: String)]
  /// The content, chunks joined.
  public var body: [UInt8]

  /// The value of the first field `name`, whatever its case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The content as a string.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// Whether status, fields and content are equal.
  public static func == (one: RawHTTPAnswer, other: RawHTTPAnswer) -> Bool {
    one.status == other.status && one.body == other.body
      && one.headers.elementsEqual(other.headers) { $0.name == $1.name && $0.value == $1.value }
  }

  /// Takes the first whole answer off the front of `octets`; nil where it is not whole yet.
  static func take(from octets: inout [UInt8], toHead: Bool, isEnd: Bool) throws -> RawHTTPAnswer? {
    guard let end = octets.firstRange(of: [13, 10, 13, 10]) else { return nil }
    let lines = String(decoding: octets[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let first = lines[0].split(separator: " ", maxSplits: 2)
    guard first.count >= 2, first[0].hasPrefix("HTTP/1."), let status = Int(first[1]) else {
      throw RawHTTPError.notHTTP(lines[0])
    }
    var answer = RawHTTPAnswer(
      status: status,
      headers: lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
      }, body: [])
    var rest = Array(octets[end.upperBound...])
    if toHead || status < 200 || status == 204 || status == 304 {
      // No content, whatever the fields say.
    } else if answer.header("Transfer-Encoding")?.lowercased() == "chunked" {
      guard let body = takeChunks(from: &rest) else { return nil }
      answer.body = body
    } else if let length = answer.header("Content-Length").flatMap({ Int($0) }) {
      guard rest.count >= length else { return nil }
      answer.body = Array(rest[..<length])
      rest.removeFirst(length)
    } else {
      guard isEnd else { return nil }
      answer.body = rest
      rest = []
    }
    octets = rest
    return answer
  }

  private static func takeChunks(from octets: inout [UInt8]) -> [UInt8]? {
    var rest = octets[...]
    var body: [UInt8] = []
    while let end = rest.firstRange(of: [13, 10]) {
      guard let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16) else {
        return nil
      }
      rest = rest[end.upperBound...]
      guard rest.count >= size + 2 else { return nil }
      body += rest.prefix(size)
      rest = rest.dropFirst(size + 2)
      if size == 0 {
        octets = Array(rest)
        return body
      }
    }
    return nil
  }
}

/// What goes wrong with a raw connection.
public enum RawHTTPError: Error, Equatable {
  case system(String, Int32)
  case notHTTP(String)
  case timedOut
}
