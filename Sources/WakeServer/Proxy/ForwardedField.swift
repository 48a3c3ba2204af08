internal import PushDelivery

/// Reads `Forwarded` (RFC 7239 §4) and `X-Forwarded-For`, the nearest hop first. A hop is nil where it is malformed, or
/// hides itself (`unknown`, `_name`; RFC 7239 §6).
///
/// Everything is cut from the right: a proxy writes behind what it was sent, so a quote that a client left open, or any
/// other noise of theirs, reaches no further than their own part.
enum ForwardedField {
  /// The hops of the lines of `Forwarded`, by their `for`.
  static func hopsFromTheRight(forwarded lines: [String]) -> [IPAddress?] {
    lines.reversed().flatMap { parts(of: $0[...], by: ",").map(hop) }
  }

  /// The hops of the lines of `X-Forwarded-For`, which knows no quotes.
  static func hopsFromTheRight(xForwardedFor lines: [String]) -> [IPAddress?] {
    lines.reversed().flatMap { line in
      line.split(separator: ",", omittingEmptySubsequences: false).reversed().map { entry in
        let entry = entry.trimmed
        // An IPv6 address stands there without brackets as well, and then without a port.
        return entry.count(where: { $0 == ":" }) > 1 && !entry.hasPrefix("[")
          ? IPAddress(parsing: String(entry)) : node(entry)
      }
    }
  }

  /// The `for` of one element: `for=192.0.2.43;proto=https`.
  private static func hop(_ element: Substring) -> IPAddress? {
    var found: IPAddress?
    var names: Set<String> = []
    for pair in parts(of: element, by: ";") {
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      let name = pair[..<equals].lowercased()
      // "Each parameter MUST NOT occur more than once per field-value" (§4), which is meant of an element.
      guard isToken(name[...]), names.insert(name).inserted,
        let value = value(pair[pair.index(after: equals)...])
      else { return nil }
      if name == "for" {
        guard let address = node(value[...]) else { return nil }
        found = address
      }
    }
    return found
  }

  /// A token as it stands, or a quoted string without its quotes and escapes.
  private static func value(_ text: Substring) -> String? {
    guard text.hasPrefix("\"") else { return isToken(text) ? String(text) : nil }
    guard text.count >= 2, text.hasSuffix("\"") else { return nil }
    var plain = ""
    var isEscaped = false
    for character in text.dropFirst().dropLast() {
      if !isEscaped, character == "\"" { return nil }
      isEscaped = !isEscaped && character == "\\"
      if !isEscaped { plain.append(character) }
    }
    return isEscaped ? nil : plain
  }

  /// `192.0.2.43`, `[2001:db8::1]`, either with `:port` (RFC 7239 §6).
  private static func node(_ text: Substring) -> IPAddress? {
    var host = text
    var port: Substring?
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      guard host.contains(":") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.isEmpty ? nil : rest.dropFirst()
    } else if let colon = text.firstIndex(of: ":") {
      (host, port) = (text[..<colon], text[text.index(after: colon)...])
    }
    if let port, !isPort(port) { return nil }
    return IPAddress(parsing: String(host))
  }

  /// Up to five digits, or a name that begins with `_`.
  private static func isPort(_ text: Substring) -> Bool {
    if text.hasPrefix("_") { return text.utf8.count > 1 && isToken(text) }
    return (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { octet in
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "a")...UInt8(ascii: "z"):
          true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(octet)
        }
      }
  }

  /// Cuts at `separator` outside quoted strings, the last part first, white space around each removed. A quote behind an
  /// odd number of backslashes is one of the string's characters.
  private static func parts(of text: Substring, by separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var isQuoted = false
    var end = text.endIndex
    var at = text.endIndex
    while at > text.startIndex {
      at = text.index(before: at)
      if text[at] == "\"" {
        let backslashes = text[..<at].reversed().prefix { $0 == "\\" }.count
        if backslashes.isMultiple(of: 2) { isQuoted.toggle() }
      } else if text[at] == separator, !isQuoted {
        parts.append(text[text.index(after: at)..<end].trimmed)
        end = at
      }
    }
    parts.append(text[..<end].trimmed)
    return parts
  }
}
