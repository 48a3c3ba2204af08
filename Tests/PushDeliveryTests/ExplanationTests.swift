import PushDelivery
import Testing

@Suite("What an attempt's row means, in plain language")
struct ExplanationTests {
  private static let origin = "https://push.example:8443"

  private func explain(
    _ outcome: PushOutcome, _ status: Int? = nil, _ reason: String? = nil, from origin: String? = origin
  ) -> Explanation? {
    Explanation.of(outcome: outcome, status: status, reason: reason, pushServer: origin)
  }

  /// Sentences, of which each ends as sentences do.
  private func expectSentences(
    _ explanation: Explanation?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let explanation = try #require(explanation, sourceLocation: sourceLocation)
    #expect(
      explanation.cause.first?.isLowercase == false || explanation.cause.hasPrefix("ntfy")
        || explanation.cause.hasPrefix("autopush") || explanation.cause.hasPrefix("https:"),
      "\(explanation)", sourceLocation: sourceLocation)
    #expect([".", "”"].contains(explanation.cause.last), "\(explanation)", sourceLocation: sourceLocation)
    #expect(explanation.fix.first?.isUppercase == true, "\(explanation)", sourceLocation: sourceLocation)
    #expect(explanation.fix.utf8.count > 15, "\(explanation)", sourceLocation: sourceLocation)
  }

  @Test(
    "every outcome but success has a cause and a fix, with and without a status and words",
    arguments: PushOutcome.allCases)
  func outcomes(outcome: PushOutcome) throws {
    let rows = [nil, 100, 302, 400, 403, 404, 413, 418, 429, 500, 507, 600].flatMap { status in
      [nil, "words"].map { explain(outcome, status, $0) }
    }
    guard outcome != .accepted else {
      #expect(rows.allSatisfy { $0 == nil })
      return
    }
    for row in rows { try expectSentences(row) }
    #expect(
      rows.dropFirst(2).enumerated().allSatisfy {
        $0.offset % 2 == 0 || $0.element?.cause.contains("words") == true
      })
  }

  @Test("every reason for which no answer came has a fix of its own", arguments: NetworkReason.allCases)
  func network(reason: NetworkReason) throws {
    let explanation = try #require(explain(.network, nil, reason.rawValue))
    try expectSentences(explanation)
    #expect(explanation == reason.explanation(Self.origin))
    #expect(!explanation.cause.contains("not known"))
  }

  @Test("a certificate that is not trusted for a reason of OpenSSL's is known by its words")
  func untrusted() {
    let words = "\(NetworkReason.certificateUntrusted.rawValue) (verification error 26)"
    #expect(explain(.network, nil, words) == NetworkReason.certificateUntrusted.explanation(Self.origin))
  }

  @Test("every fault of name resolution has a fix", arguments: NameResolutionError.allCases)
  func names(error: NameResolutionError) throws {
    let explanation = explain(.network, nil, error.detail)
    try expectSentences(explanation)
    #expect(explanation == error.explanation(Self.origin))
  }

  @Test("a failed handshake says that the port may be one without TLS")
  func handshake() throws {
    let explanation = explain(.network, nil, "SSL connect error (libcurl 35)")
    try expectSentences(explanation)
    #expect(explanation?.cause.contains("TLS") == true)
  }

  @Test("an endpoint that a web page calls gone may be known to the push server behind it")
  func goneByPage() throws {
    let page = explain(.gone, 404, "<html> <h1>404 Not Found</h1> nginx")
    try expectSentences(page)
    #expect(page?.cause.contains("proxy in front") == true && page?.cause.contains("nginx") == true)
    let plain = explain(.gone, 404, "no such endpoint")
    #expect(plain?.cause.contains("proxy in front") == false)
  }

  @Test("any other failure is told in libcurl's words, and said to be unknown")
  func otherFailure() throws {
    let explanation = explain(.network, nil, "Out of memory (libcurl 27)")
    try expectSentences(explanation)
    #expect(explanation?.cause.contains("not known here: “Out of memory (libcurl 27)”") == true)
  }

  static let refusals: [EndpointRefusal] = [
    .empty, .tooLong, .notASCII, .unprintable, .scheme, .plainHTTP, .userinfo, .fragment, .host,
    .unusualAddress, .malformedPort, .lowPort, .localName, .address(kind: "loopback"), .ambiguous,
  ]

  @Test("every endpoint that the policy refuses by its text has a fix", arguments: refusals)
  func endpoints(refusal: EndpointRefusal) throws {
    let words = String(refusal.detail.unicodeScalars.prefix(PushReason.lengthMaximum))
    let explanation = explain(.blocked, nil, words)
    try expectSentences(explanation)
    #expect(explanation == refusal.explanation(Self.origin))
  }

  static let refusedAddresses: [(AddressRefusal, String)] = [
    (.notPublic(kind: "private use"), "add \(origin) to WAKE_PUSH_ALLOW"),
    (.outsideBlocks, "add \(origin) to WAKE_PUSH_ALLOW"), (.ownListener, "Correct its DNS record"),
  ]

  @Test("every address that the policy refuses has a fix", arguments: refusedAddresses)
  func addresses(refusal: AddressRefusal, fix: String) throws {
    let address = try #require(IPAddress(parsing: "192.168.1.7"))
    let explanation = explain(.blocked, nil, refusal.detail(address: address, origin: Self.origin))
    try expectSentences(explanation)
    #expect(explanation?.fix.contains(fix) == true, "\(String(describing: explanation))")
    if case .notPublic = refusal {
      #expect(explanation?.cause.contains("192.168.1.7 is not a public one (private use)") == true)
    }
  }

  @Test("what a core may not read of a refused address is not made up for it")
  func withoutWords() throws {
    let explanation = explain(.blocked)
    try expectSentences(explanation)
    #expect(explanation?.fix.contains("WAKE_PUSH_ALLOW") == true)
  }

  /// What a push server means by a status alone, known by its host.
  struct Known: Sendable {
    let origin: String
    let outcome: PushOutcome
    let status: Int
    let says: String

    init(_ origin: String, _ outcome: PushOutcome, _ status: Int, _ says: String) {
      (self.origin, self.outcome, self.status, self.says) = (origin, outcome, status, says)
    }
  }

  static let knownStatuses: [Known] = [
    Known("https://ntfy.sh", .throttled, 429, "ntfy.sh"),
    Known("https://ntfy.sh", .unsubscribed, 507, "ntfy app"),
    Known("https://ntfy.example", .gone, 404, "base-url"),
    Known("https://updates.push.services.mozilla.com", .refused, 401, "VAPID"),
    Known("https://updates.push.services.mozilla.com", .gone, 410, "ended"),
    Known("https://nextpush.example", .gone, 404, "NextPush"),
    Known("https://nextcloud.example", .server, 503, "occ"),
    Known("https://prosody.example", .server, 500, "mod_unified_push"),
    Known("https://prosody.example", .gone, 404, "expired"),
    Known("https://fcm.googleapis.com", .gone, 410, "FCM has ended"),
    Known("https://fcm.googleapis.com", .refused, 403, "another VAPID key"),
    Known("https://web.push.apple.com", .refused, 403, "WAKE_CONTACT"),
    Known("https://db5p.notify.windows.com", .rejected, 400, "TTL of 0"),
    Known("https://db5p.notify.windows.com", .rejected, 406, "too many"),
  ]

  @Test("a status is explained as the push server at hand means it", arguments: knownStatuses)
  func statuses(row: Known) throws {
    let explanation = explain(row.outcome, row.status, nil, from: row.origin)
    try expectSentences(explanation)
    #expect("\(String(describing: explanation))".contains(row.says), "\(String(describing: explanation))")
  }

  static let kinds: [(String?, Int?, String?, PushServerKind)] = [
    ("https://ntfy.sh", nil, nil, .ntfy), ("https://ntfy.lan:8443", nil, nil, .ntfy),
    ("https://NTFY.example", nil, nil, .ntfy), ("https://notify.example", nil, nil, .unknown),
    ("https://evil-ntfy.sh.example", nil, nil, .unknown),
    ("https://evilpush.apple.com.example", nil, nil, .unknown),
    ("https://web.push.apple.com", nil, nil, .apple), ("https://fcm.googleapis.com", nil, nil, .fcm),
    ("https://wns2-by3p.notify.windows.com", nil, nil, .windows), (nil, nil, nil, .unknown),
    ("https://updates.push.services.mozilla.com", nil, nil, .autopush),
    ("https://push.example", 403, #"{"code":40301}"#, .ntfy),
    ("https://push.example", 200, #"{"id":"x","time":1,"event":"message","topic":"up"}"#, .ntfy),
    ("https://push.example", 200, #"{"event":"message"}"#, .unknown),
    ("https://push.example", 201, "", .unknown),
    ("https://push.example", 404, #"{"code":40301}"#, .unknown),
    ("https://push.example", 404, #"{"errno":102}"#, .autopush),
    ("https://push.example", 400, #"{"reason":"BadTtl"}"#, .apple),
    ("https://push.example", 400, #"{"reason":"x"}"#, .unknown),
    ("https://push.example", 404, #"{"success":false}"#, .nextPush),
    ("https://push.example", 410, "NotRegistered", .fcm),
    // A host that is known is what it is, whatever it says.
    ("https://fcm.googleapis.com", 403, #"{"code":40301}"#, .fcm),
    ("https://ntfy.example", 404, #"{"errno":102}"#, .autopush),
  ]

  @Test("a push server is known by its host, else by its answer, else by its usual name", arguments: kinds)
  func kind(origin: String?, status: Int?, words: String?, kind: PushServerKind) {
    #expect(PushServerKind(origin: origin, status: status, words: words) == kind)
  }

  @Test("a wake that the phone did not confirm has a fix for each push server")
  func noReceipt() throws {
    for origin in Self.knownStatuses.map(\.origin) + [Self.origin] {
      let explanation = Explanation.noReceipt(pushServer: origin)
      try expectSentences(explanation)
      #expect(explanation.fix.contains("battery saving"))
      // Where the app does not register by itself, it may pin a certificate that is no more.
      #expect(
        explanation.fix.contains("have it register again") == explanation.fix.contains("made anew since"))
    }
  }

  @Test("what is as it should be says so")
  func inOrder() throws {
    for explanation in [Explanation.muted, .coalesced, .stale] {
      try expectSentences(explanation)
      #expect(explanation.fix.hasPrefix("Nothing is wrong"))
    }
  }
}
