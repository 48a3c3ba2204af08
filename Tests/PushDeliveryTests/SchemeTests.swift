import PushDelivery
import Testing

@Suite("An origin by the wrong scheme, and how it is written")
struct SchemeTests {
  private static func fix(_ status: Int?, _ words: String, _ origin: String?) throws -> Explanation {
    let outcome: PushOutcome = status == nil ? .network : .rejected
    return try #require(
      Explanation.of(outcome: outcome, status: status, reason: words, pushServer: origin))
  }

  static let toTLS: [(Int?, String)] = [
    (nil, NetworkReason.closedWithoutAnswer.rawValue), (nil, NetworkReason.notHTTP.rawValue),
    (400, "400 The plain HTTP request was sent to HTTPS port nginx"),
    (400, "Client sent an HTTP request to an HTTPS server."),
    (400, "Reason: You're speaking plain HTTP to an SSL-enabled server port."),
  ]

  @Test("plain http to a port with TLS is mended by the address that is to be typed", arguments: toTLS)
  func plain(status: Int?, words: String) throws {
    for (origin, other) in [
      ("http://push.example:8443", "https://push.example:8443 "),
      ("http://push.example", "https://push.example:80 "),
      ("http://[2001:db8::1]", "https://[2001:db8::1]:80 "),
    ] {
      let fix = try Self.fix(status, words, origin).fix
      #expect(fix.lowercased().contains("public url to \(other)(base-url in ntfy's server.yml)"), "\(fix)")
    }
    let secure = try Self.fix(status, words, "https://push.example:8443").fix
    #expect(status != nil || !secure.contains("public URL to"), "\(secure)")
  }

  @Test("TLS to a port without is mended by the address that is to be typed, which has to be allowed")
  func secure() throws {
    let words = "SSL connect error (libcurl 35)"
    for (origin, other) in [
      ("https://push.example:8443", "http://push.example:8443 "),
      ("https://push.example", "http://push.example:443 "),
    ] {
      let explanation = try Self.fix(nil, words, origin)
      #expect(explanation.fix.contains("set its public URL to \(other)"), "\(explanation.fix)")
      #expect(explanation.fix.contains("WAKE_PUSH_ALLOW"), "\(explanation.fix)")
      for fault in [ConnectionFault.handshake, .silentTLS] {
        #expect(fault.explanation(origin) == explanation)
      }
    }
  }

  @Test("no sentence capitalises an origin or a program's name, and each begins as sentences do without one")
  func beginnings() throws {
    for origin in ["http://push.example:8443", "https://ntfy.example", nil] as [String?] {
      var causes = NetworkReason.allCases.map { $0.explanation(origin).cause }
      causes += try PushOutcome.allCases.filter { $0 != .accepted }.flatMap { outcome in
        try [nil, 403, 418].map { status in
          try #require(
            Explanation.of(outcome: outcome, status: status, reason: nil, pushServer: origin)
          ).cause
        }
      }
      for cause in causes {
        #expect(!cause.contains("Http") && !cause.contains("Ntfy"), "\(cause)")
        #expect(origin != nil || cause.first?.isUppercase == true, "\(cause)")
      }
    }
  }
}
