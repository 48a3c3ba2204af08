/// A push server's own words about a refusal, made fit to be shown: printable, short, and without the secrets
/// that it may have echoed.
package enum PushReason {
  /// The longest reason, in characters.
  package static let lengthMaximum = 200
  /// What is kept of a body to look for words in.
  static let octetsMaximum = 4_096
  /// Of a body that is longer, the end of what was kept is not looked at: a secret that is cut in two there
  /// would not be known again. As long as the longest endpoint, and as a token.
  private static let cutLength = 1_024
  /// Shorter parts of a path are words of no worth ("v1", "up"), and would mask half of every sentence.
  private static let secretLengthMinimum = 4
  private static let mask = "…"

  /// The reason in `octets`, nil where nothing printable is left. `isCut` says that the body went on.
  static func text(_ octets: [UInt8], isCut: Bool, target: String, authorization: String) -> String? {
    let kept = isCut ? octets.dropLast(min(octets.count, cutLength)) : octets[...]
    guard var text = readable(String(decoding: kept, as: UTF8.self)) else { return nil }
    let secrets = secrets(target: target, authorization: authorization)
    for secret in secrets { text = masking(secret, in: text) }
    text = maskingFragments(of: [target, authorization], in: text)
    return printable(text)
  }

  /// Whether a body speaks of the key or token that we sign with: then a 400 is a fault of configuration.
  static func speaksOfVAPID(_ octets: [UInt8]) -> Bool {
    speaksOfVAPID(String(decoding: octets, as: UTF8.self))
  }

  static func speaksOfVAPID(_ words: String) -> Bool {
    let text = words.lowercased()
    return ["vapid", "jwt", "application server key", "applicationserverkey", "crypto-key"]
      .contains { text.contains($0) }
  }

  /// Text without its escapes, and without what is not printable: that could stand between the letters of a secret.
  private static func readable(_ text: String) -> String? {
    printable(EscapedText.plain(text), lengthMaximum: .max)
  }

  /// One line of printable characters, white space collapsed.
  static func printable(_ text: String, lengthMaximum: Int = lengthMaximum) -> String? {
    var result = ""
    var count = 0
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      guard count < lengthMaximum else { break }
      if scalar.properties.isWhitespace {
        pendingSpace = count > 0
        continue
      }
      guard isPrintable(scalar) else { continue }
      if pendingSpace {
        result += " "
        count += 1
        pendingSpace = false
        if count == lengthMaximum { break }
      }
      result.unicodeScalars.append(scalar)
      count += 1
    }
    while result.hasSuffix(" ") { result.removeLast() }
    return result.isEmpty ? nil : result
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      false
    default: scalar != "\u{fffd}"
    }
  }

  /// The target, its parts, and the token: longest first, so that the whole is masked before its parts.
  private static func secrets(target: String, authorization: String) -> [String] {
    var secrets: Set<String> = [target]
    let (path, query) = target.splitOnce("?")
    secrets.insert(path)
    secrets.insert(query)
    for part in path.split(separator: "/") { secrets.insert(String(part)) }
    for part in query.split(whereSeparator: { $0 == "&" || $0 == ";" }) {
      secrets.insert(String(part))
      secrets.insert(String(part).splitOnce("=").after)
    }
    for word in authorization.split(whereSeparator: { " ,=.".contains($0) }) { secrets.insert(String(word)) }
    secrets.remove("vapid")
    // As the text that they are looked for in.
    secrets.formUnion(secrets.compactMap(readable))
    return secrets.filter { $0.utf8.count >= secretLengthMinimum }
      .sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
  }

  private static func masking(_ secret: String, in text: String) -> String {
    let wanted = Array(secret.lowercased().utf8)
    let octets = Array(text.utf8)
    guard wanted.count <= octets.count else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < octets.count {
      let end = index + wanted.count
      if end <= octets.count, octets[index..<end].elementsEqual(wanted, by: { lower($0) == $1 }) {
        result += mask.utf8
        index = end
      } else {
        result.append(octets[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Masks words that are a piece of a secret, as a server that shortens what it echoes would write.
  private static func maskingFragments(of secrets: [String], in text: String) -> String {
    let haystack = secrets.joined(separator: "\n").lowercased()
    var result = ""
    var word = ""
    func flush() {
      // Eight characters of a secret are no coincidence; common words of a path are shorter.
      result += word.utf8.count >= 8 && haystack.contains(word.lowercased()) ? mask : word
      word = ""
    }
    for character in text {
      if character.isASCII, character.isLetter || character.isNumber || "-_%~".contains(character) {
        word.append(character)
      } else {
        flush()
        result.append(character)
      }
    }
    flush()
    return result
  }

  private static func lower(_ octet: UInt8) -> UInt8 { (0x41...0x5a).contains(octet) ? octet | 0x20 : octet }
}

extension String {
  /// What stands before and after the first `separator`; all of it and nothing where there is none.
  fileprivate func splitOnce(_ separator: Character) -> (before: String, after: String) {
    guard let index = firstIndex(of: separator) else { return (self, "") }
    return (String(self[..<index]), String(self[self.index(after: index)...]))
  }
}
