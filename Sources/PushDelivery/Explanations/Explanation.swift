/// Why a wake did not go through, and what to do about it, in plain language.
package struct Explanation: Sendable, Equatable {
  /// What the matter is: a sentence.
  package let cause: String
  /// What to do, or what to type: a sentence or two.
  package let fix: String

  /// Both members.
  package init(_ cause: String, fix: String) {
    self.cause = cause
    self.fix = fix
  }
}

extension Explanation {
  /// What an attempt came to, from what its row has: outcome, status, words, and the origin of the push server.
  ///
  /// First the push server's own code, then its status where that server means something of its own by it, then what the
  /// outcome says of any server, with the push server's words. Nil for a wake that was accepted. Nothing of an endpoint but its
  /// origin is in it.
  package static func of(
    outcome: PushOutcome, status: Int?, reason: String?, pushServer origin: String?
  ) -> Explanation? {
    guard outcome != .accepted else { return nil }
    guard let status else {
      return reason.flatMap { ownWords($0, origin) } ?? unanswered(outcome, words: reason, origin)
    }
    let server = PushServerKind(origin: origin, status: status, words: reason)
    // ntfy says so of a topic never: its own words in the table fit.
    if outcome == .gone, server != .ntfy, let reason, WebPage.begins(reason) {
      return goneByPage(status, words: reason, by: server, origin)
    }
    let known =
      reason.flatMap { Explanation.spokenPlainly($0, status: status, origin) }
      ?? reason.flatMap { PushServerCode(status: status, words: $0)?.explanation }
      ?? server.explanation(of: status)
    guard let known else { return answered(outcome, status, words: reason, by: server) }
    // The code or the status leaves open whether it is the token or the key; the words may say.
    let isOfKey =
      known.fix == Explanations.token.fix
      && reason.flatMap { VAPIDComplaint($0, isCertain: true) } == .key
    return isOfKey ? Explanations.key : known
  }

  /// What we ourselves wrote into a row; nil for words that are not ours.
  private static func ownWords(_ words: String, _ origin: String?) -> Explanation? {
    NetworkReason(words: words)?.explanation(origin)
      ?? NameResolutionError(words: words)?.explanation(origin)
      ?? EndpointRefusal(words: words)?.explanation(origin)
      ?? AddressRefusal.explanation(of: words, origin)
      ?? handshake(words, origin)
  }
}

extension String {
  /// The same at the beginning of a sentence. An origin, and the name of a program, stay as they are written.
  var beginning: String { hasPrefix("the ") ? "The " + dropFirst("the ".count) : self }
}

extension Optional where Wrapped == String {
  /// An origin as a sentence names it.
  var named: String { self ?? "the push server" }
  /// What shows whether an origin can be reached from this machine.
  var tryout: String {
    map { "try from this machine: curl -v \($0)/" } ?? "try to reach it from this machine"
  }
}
