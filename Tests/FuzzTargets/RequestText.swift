import HTTPListener

/// A request as the seeds of the target `request` write it.
struct RequestText {
  private let lines: [String]
  private let body: [UInt8]

  /// Nil where there is no first line.
  init?(_ octets: [UInt8]) {
    let end = octets.firstRange(of: [0x0A, 0x0A])
    lines = octets[..<(end?.lowerBound ?? octets.endIndex)].split(separator: 0x0A)
      .map { String(decoding: $0, as: UTF8.self) }
    body = end.map { Array(octets[$0.upperBound...]) } ?? []
    guard !lines.isEmpty else { return nil }
  }

  /// The request, with `substitutes` in place; nil where the listener's gate would never let it through.
  func request(_ substitutes: [(name: String, value: String)]) -> HTTPRequest? {
    let head = lines.map { line in
      substitutes.reduce(line) { $0.replacing($1.name, with: $1.value) }
    }
    let first = head[0].split(separator: " ", maxSplits: 1).map(String.init)
    let fields = head.dropFirst().compactMap { line -> (name: String, value: String)? in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      return (String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    guard first.count == 2,
      FramingGate().check(
        method: first[0], version: "HTTP/1.1", target: first[1], headers: fields + [("Host", "a")]) == nil
    else { return nil }
    let body = String(validating: self.body, as: UTF8.self).map { text in
      Array(substitutes.reduce(text) { $0.replacing($1.name, with: $1.value) }.utf8)
    }
    return HTTPRequest(method: first[0], target: first[1], headers: fields, body: body ?? self.body)
  }
}
