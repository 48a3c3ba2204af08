import PushDelivery
import TestSupport
import Testing

@Suite("What a push server's answer means")
struct PushOutcomeTests {
  @Test(
    "each status has its outcome",
    arguments: [
      (200, .accepted), (201, .accepted), (202, .accepted), (204, .accepted), (299, .accepted),
      (300, .redirected), (301, .redirected), (302, .redirected), (304, .redirected), (307, .redirected),
      (308, .redirected), (400, .rejected), (401, .refused), (402, .rejected), (403, .refused), (404, .gone),
      (405, .rejected), (406, .rejected), (408, .rejected), (410, .gone), (411, .rejected), (413, .oversize),
      (415, .rejected), (421, .rejected), (425, .rejected), (429, .throttled), (451, .rejected),
      (499, .rejected), (500, .server), (501, .server), (502, .server), (503, .server), (504, .server),
      (507, .unsubscribed), (511, .server), (599, .server), (600, .server), (999, .server),
    ] as [(Int, PushOutcome)])
  func statuses(status: Int, outcome: PushOutcome) {
    #expect(PushOutcome(status: status, hasRetryAfter: false, bodySpeaksOfVAPID: false) == outcome)
  }

  @Test(
    "a Retry-After makes 4xx and 5xx a pause, save where the subscription is gone",
    arguments: [
      (201, .accepted), (301, .redirected), (400, .throttled), (401, .throttled), (403, .throttled),
      (404, .gone),
      (410, .gone), (413, .throttled), (429, .throttled), (500, .throttled), (503, .throttled),
      (507, .throttled), (600, .server),
    ] as [(Int, PushOutcome)])
  func retryAfter(status: Int, outcome: PushOutcome) {
    #expect(PushOutcome(status: status, hasRetryAfter: true, bodySpeaksOfVAPID: true) == outcome)
  }

  @Test(
    "words about the VAPID key make a 400, and nothing else, a refusal",
    arguments: [
      (400, .refused), (402, .rejected), (404, .gone), (413, .oversize), (500, .server), (507, .unsubscribed),
    ]
      as [(Int, PushOutcome)])
  func vapid(status: Int, outcome: PushOutcome) {
    #expect(PushOutcome(status: status, hasRetryAfter: false, bodySpeaksOfVAPID: true) == outcome)
  }

  @Test("only 404 and 410 say that a subscription is gone")
  func gone() {
    for status in 100..<1_000 {
      for hasRetryAfter in [false, true] {
        for speaks in [false, true] {
          let outcome = PushOutcome(status: status, hasRetryAfter: hasRetryAfter, bodySpeaksOfVAPID: speaks)
          #expect((outcome == .gone) == (status == 404 || status == 410))
          #expect((outcome == .accepted) == (200..<300).contains(status))
        }
      }
    }
  }
}

@Suite("Retry-After (RFC 9110 §10.2.3)")
struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  static let then: Int64 = 784_111_777

  @Test(
    "seconds and dates are read, absurd ones are bounded, nonsense is none",
    arguments: [
      ("0", 0), ("3", 3), ("120", 120), ("00060", 60), ("86400", 86_400), ("86401", 86_400),
      ("9223372036854775807", 86_400), ("9223372036854775808", 86_400),
      (String(repeating: "9", count: 400), 86_400), ("-1", nil), ("+1", nil), ("1.5", nil), ("1e3", nil),
      ("", nil),
      (" ", nil), ("60s", nil), ("soon", nil), ("0x10", nil), ("١٢", nil), ("3,4", nil),
      ("Sun, 06 Nov 1994 08:49:40 GMT", 3), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
      ("Sun, 06 Nov 1994 08:49:36 GMT", 0), ("Sunday, 06-Nov-94 08:49:40 GMT", 3),
      ("Sun Nov  6 08:49:40 1994", 3), ("Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Mon, 01 Jan 0001 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:40 UTC", nil),
      ("Sun, 06 Nov 1994 08:49:40", nil), ("06 Nov 1994", nil), ("Sun, 31 Feb 1994 08:49:40 GMT", nil),
      ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 06 nov 1994 08:49:40 GMT", nil),
      ("Sun, 06 Nov 99999 08:49:40 GMT", nil), ("Sun, 06 Nov 0000 08:49:40 GMT", nil),
    ] as [(String, Int?)])
  func values(text: String, seconds: Int?) {
    #expect(RetryAfter(parsing: text, dateSeconds: Self.then)?.seconds == seconds)
  }

  @Test("no clock makes it trap", arguments: [Int64.min, -1, 0, Int64.max])
  func clocks(now: Int64) {
    for text in ["5", "Fri, 31 Dec 9999 23:59:59 GMT", "Sunday, 06-Nov-94 08:49:40 GMT"] {
      let seconds = RetryAfter(parsing: text, dateSeconds: now)?.seconds
      #expect((0...86_400).contains(seconds ?? 0))
    }
  }

  @Test(
    "dates are counted from 1970",
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
      ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799), ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
      ("Thu, 01 Jan 2026 00:00:00 GMT", 1_767_225_600), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
      ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 31 Dec 1998 23:59:60 GMT", 915_148_800),
      ("Mon, 29 Feb 2100 00:00:00 GMT", nil), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Friday, 06-Nov-26 00:00:00 GMT", 1_793_923_200), ("Sun Nov  6 08:49:37 1994", 784_111_777),
    ] as [(String, Int64?)])
  func dates(text: String, seconds: Int64?) {
    #expect(HTTPDate(parsing: text, nowSeconds: PushHarness.now / 1_000)?.seconds == seconds)
  }
}

@Suite("Topic (RFC 8030 §5.4)")
struct TopicTests {
  @Test("a topic is 32 letters and digits, the same for the same secret")
  func form() {
    for start in 0..<256 {
      let secret = (0..<32).map { UInt8(truncatingIfNeeded: start + $0 * 31) }
      let topic = Topic(secret: secret)
      #expect(topic.text.utf8.count == 32)
      #expect(
        topic.text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0) })
      #expect(topic == Topic(secret: secret + [1, 2, 3]))
    }
    #expect(Topic(secret: Array(repeating: 0, count: 32)) != Topic(secret: Array(repeating: 1, count: 32)))
  }

  @Test("too few octets are a mistake of ours")
  func tooFew() async {
    await #expect(processExitsWith: .failure) { _ = Topic(secret: Array(repeating: 0, count: 31)) }
  }
}
