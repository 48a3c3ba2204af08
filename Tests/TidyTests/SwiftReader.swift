/// Tells code from comments and string literals in Swift text, well enough for rules about style.
///
/// Regular expressions between bare slashes are read as code.
struct SwiftReader {
  private let octets: [UInt8]
  private var at = 0
  private var line = 1
  private var out: [UInt8] = []

  /// String literals in the order in which they end, without the code of their interpolations.
  private(set) var literals: [SourceFile.Piece] = []
  /// As long as the text, line for line.
  var code: String { String(decoding: out, as: UTF8.self) }

  init(_ text: String) {
    octets = Array(text.utf8)
    out.reserveCapacity(octets.count)
  }

  mutating func read() {
    readCode(untilParenthesis: false)
  }

  private static let slash = UInt8(ascii: "/")
  private static let quote = UInt8(ascii: "\"")
  private static let hash = UInt8(ascii: "#")

  private func here(_ text: StaticString) -> Bool {
    let wanted = text.utf8CodeUnitCount
    guard at + wanted <= octets.count else { return false }
    return text.withUTF8Buffer { buffer in
      (0..<wanted).allSatisfy { octets[at + $0] == buffer[$0] }
    }
  }

  private mutating func keep() {
    if octets[at] == UInt8(ascii: "\n") { line += 1 }
    out.append(octets[at])
    at += 1
  }

  private mutating func blank() {
    if octets[at] == UInt8(ascii: "\n") {
      keep()
    } else {
      out.append(UInt8(ascii: " "))
      at += 1
    }
  }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while at < octets.count {
      let octet = octets[at]
      if octet == Self.slash, here("//") {
        while at < octets.count, octets[at] != UInt8(ascii: "\n") { blank() }
      } else if octet == Self.slash, here("/*") {
        skipComment()
      } else if octet == Self.quote || (octet == Self.hash && opensRawString()) {
        readString()
      } else {
        if octets[at] == UInt8(ascii: "(") { depth += 1 }
        if octets[at] == UInt8(ascii: ")") {
          if untilParenthesis, depth == 0 { return }
          depth -= 1
        }
        keep()
      }
    }
  }

  private mutating func skipComment() {
    var depth = 0
    repeat {
      if here("/*") {
        depth += 1
        blank()
      } else if here("*/") {
        depth -= 1
        blank()
      }
      blank()
    } while at < octets.count && depth > 0
  }

  private func opensRawString() -> Bool {
    var next = at
    while next < octets.count, octets[next] == Self.hash { next += 1 }
    return next < octets.count && octets[next] == Self.quote
  }

  private mutating func readString() {
    let begin = line
    var hashes = 0
    while octets[at] == Self.hash {
      hashes += 1
      keep()
    }
    let isLong = here("\"\"\"")
    for _ in 0..<(isLong ? 3 : 1) { keep() }
    var content: [UInt8] = []
    while at < octets.count {
      if closes(isLong: isLong, hashes: hashes) {
        for _ in 0..<((isLong ? 3 : 1) + hashes) { keep() }
        break
      }
      if !isLong, octets[at] == UInt8(ascii: "\n") { break }
      if octets[at] == UInt8(ascii: "\\"), follows(at + 1, hashes: hashes) {
        let escaped = at + 1 + hashes
        if escaped < octets.count, octets[escaped] == UInt8(ascii: "(") {
          for _ in at...escaped { blank() }
          readCode(untilParenthesis: true)
          if at < octets.count { blank() }
        } else {
          for _ in at...escaped where at < octets.count {
            content.append(octets[at])
            blank()
          }
        }
        continue
      }
      content.append(octets[at])
      blank()
    }
    literals.append(.init(line: begin, text: String(decoding: content, as: UTF8.self)))
  }

  private func follows(_ position: Int, hashes: Int) -> Bool {
    position + hashes <= octets.count
      && (position..<(position + hashes)).allSatisfy { octets[$0] == Self.hash }
  }

  private func closes(isLong: Bool, hashes: Int) -> Bool {
    guard isLong ? here("\"\"\"") : octets[at] == Self.quote else { return false }
    return follows(at + (isLong ? 3 : 1), hashes: hashes)
  }
}
