internal import Foundation

/// The members of a URL's query.
struct Query: Sendable {
  private let members: [String: String]

  /// - Throws: `malformed-request` for bad percent-encoding, and for a name that comes twice.
  init(_ text: String?) throws(Problem) {
    var members: [String: String] = [:]
    for pair in (text ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = String(parts[0]).removingPercentEncoding,
        let value = parts.count == 2 ? String(parts[1]).removingPercentEncoding : ""
      else { throw Problem(.malformedRequest, "The query is not percent-encoded as RFC 3986 asks.") }
      guard members.updateValue(value, forKey: name) == nil else {
        throw Problem(.malformedRequest, "Name each member of the query once.")
      }
    }
    self.members = members
  }

  /// The value of `name`; one that is empty counts as none.
  subscript(name: String) -> String? {
    members[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of `name`, as it was sent; nil where it was not.
  func sent(_ name: String) -> String? { members[name] }

  /// The rows that a page may have: `limit`, from 1 to ``Limits/pageRows``, which is the default too.
  func limit() throws(Problem) -> Int {
    guard let text = sent("limit") else { return Limits.pageRows }
    guard let limit = WholeNumber.parse(text, in: 1...Limits.pageRows) else {
      throw Problem(
        .malformedRequest, "`limit` must be a whole number from 1 to \(Limits.pageRows), or left out.")
    }
    return limit
  }

  /// Where a page begins: `cursor`, of the page before.
  func cursor<Identifier>(_ make: (String) -> Identifier?) throws(Problem) -> Identifier? {
    try identifier("cursor", "the `next` of the page before", make)
  }

  /// The member `name` as an identifier, or nil where it is not there. One that is empty is refused: a script whose
  /// variable is not set would be shown what is everybody's.
  ///
  /// - Parameter form: what it must be, for who sent something else.
  func identifier<Identifier>(
    _ name: String, _ form: String, _ make: (String) -> Identifier?
  ) throws(Problem) -> Identifier? {
    guard let text = sent(name) else { return nil }
    guard let identifier = make(text) else {
      throw Problem(.malformedRequest, "`\(name)` must be \(form), or left out.")
    }
    return identifier
  }
}
