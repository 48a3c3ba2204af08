extension EndpointRefusal {
  /// The refusal that a row's words give; nil for words that are not one of these. A row may have cut them.
  init?(words: String) {
    guard let refusal = Self.all.first(where: { Self.isText(words, of: $0) }) else { return nil }
    self = refusal
  }

  /// One of each.
  static let all: [EndpointRefusal] = [
    .empty, .tooLong, .notASCII, .unprintable, .scheme, .plainHTTP, .userinfo, .fragment, .host,
    .unusualAddress,
    .malformedPort, .lowPort, .localName, .address(kind: ""), .ambiguous,
  ]

  private static func isText(_ words: String, of refusal: EndpointRefusal) -> Bool {
    // The kind of an address stands in parentheses.
    let parts = refusal.detail.split(separator: "()", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return refusal.detail == words || words.isBeginning(of: refusal.detail) }
    return words.hasPrefix("\(parts[0])(")
  }

  /// What to do about it.
  package func explanation(_ origin: String?) -> Explanation {
    let add =
      "If it is a push server of your own, add \(origin ?? "its origin") to \(PushAllowList.variable) and restart."
    let other =
      "Have the app register again with another endpoint; its distributor, or the push server's public URL, is set up wrongly."
    return switch self {
    case .plainHTTP:
      Explanation("The push server is on plain http, which is not allowed unless you name it.", fix: add)
    case .lowPort:
      Explanation(
        "The push server's port is neither 443 nor 1024 or above, which is not allowed unless you name it.",
        fix: add)
    case .localName:
      Explanation(
        "The push server's name is one of the local machine or network, which is not allowed unless you name it.",
        fix: add)
    case .address:
      Explanation(
        "The push server's address is not a public one, which is not allowed unless you name it.", fix: add)
    case .empty, .tooLong, .notASCII, .unprintable, .scheme, .userinfo, .fragment, .host, .unusualAddress,
      .malformedPort, .ambiguous:
      Explanation("The endpoint is not one that may be used: \(firstClause).", fix: other)
    }
  }

  /// What is wrong, without what to write instead.
  private var firstClause: String {
    let sentence = detail.prefix { $0 != ":" && $0 != "," && $0 != "." }
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }
}

extension AddressRefusal {
  /// What the words of a row say of an address; nil for words that are not of this.
  static func explanation(of words: String, _ origin: String?) -> Explanation? {
    let origin = origin ?? "the push server's origin"
    let variable = PushAllowList.variable
    if words.hasSuffix(Self.ownListenerWords) {
      return Explanation(
        "The push server's name leads to this service itself.",
        fix: "Correct its DNS record, or its port, then have the app register again.")
    }
    if words.contains(Self.outsideBlocksWords) {
      return Explanation(
        "The push server's address is in no block that \(variable) names.",
        fix: "If it is a push server of your own, add \(origin) to \(variable) and restart.")
    }
    guard let range = words.firstRange(of: Self.notPublicWords) else { return nil }
    let address = words[..<range.lowerBound]
    let kind = words[range.upperBound...].prefix { $0 != ")" }
    return Explanation(
      "The push server's address \(address) is not a public one (\(kind)), which is not allowed unless you name it.",
      fix: "If it is a push server of your own, add \(origin) to \(variable) and restart.")
  }
}

extension String {
  /// Whether it is what is left of a longer text that was cut to what a row holds.
  fileprivate func isBeginning(of text: String) -> Bool {
    unicodeScalars.count == PushReason.lengthMaximum && text.hasPrefix(self)
  }
}
