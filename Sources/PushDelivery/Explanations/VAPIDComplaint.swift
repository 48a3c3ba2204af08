/// What a push server that refuses a wake complains of, by its words: they decide what is worth trying first.
enum VAPIDComplaint {
  /// Another key than the subscription's signed.
  case key
  /// The token is not one that it takes: its time, its contact, its audience.
  case token

  /// `isCertain`: the complaint is of one of the two for sure, as the push server's own code says. Nil for words that speak
  /// of neither.
  init?(_ text: String, isCertain: Bool = false) {
    // A header field of older drafts, which carries the key and says nothing of it.
    let words = Set(
      text.lowercased().replacing("crypto-key", with: "").split { !$0.isLetter }.map(String.init))
    let isOfVAPID = isCertain || PushReason.speaksOfVAPID(text)
    let namesClaim = !words.isDisjoint(with: Self.claims)
    if !namesClaim, !(isOfVAPID && !words.isDisjoint(with: Self.ending)) {
      let namesKey = !words.isDisjoint(with: Self.keys)
      let compares = !words.isDisjoint(with: Self.comparisons)
      if isOfVAPID ? namesKey || compares : namesKey && compares {
        self = .key
        return
      }
    }
    guard isOfVAPID || namesClaim else { return nil }
    self = .token
  }

  private static let keys: Set = ["key", "keys", "credentials"]
  private static let comparisons: Set = [
    "subscription", "subscriptions", "mismatch", "mismatched", "match", "matches", "correspond",
  ]
  /// Of a token (RFC 8292 §2).
  private static let claims: Set = ["aud", "audience", "exp", "expiry", "sub", "subject", "claim", "claims"]
  private static let ending: Set = ["expired", "expires", "expire", "expiration"]
}
