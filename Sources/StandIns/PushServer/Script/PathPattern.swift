/// Paths that a rule of a script is for: as written, where `*` stands for any characters, none included.
package struct PathPattern: Sendable, Equatable {
  /// The longest pattern: that of an endpoint (1000 octets).
  package static let lengthMaximum = 1_000

  private let parts: [String]

  /// A pattern that begins with `/` or `*`; nil for any other, and for one that is too long.
  package init?(_ text: String) {
    guard text.hasPrefix("/") || text.hasPrefix("*"), text.utf8.count <= Self.lengthMaximum else {
      return nil
    }
    parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
  }

  /// Whether a path, without its query, is one of them.
  package func matches(_ path: String) -> Bool {
    guard let first = parts.first, let last = parts.last, path.hasPrefix(first) else { return false }
    guard parts.count > 1 else { return path == first }
    var rest = path.dropFirst(first.count)
    // Each part between two asterisks where it comes first: what lies before it is the asterisk's.
    for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}
