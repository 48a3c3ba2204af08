import PushDelivery
import TestSupport
import Testing

@Suite("What push servers say by codes of their own")
struct PushServerCodeTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let outcome: PushOutcome
    /// What stands in the cause or the fix.
    let advice: String

    var testDescription: String { "\(status) \(body)" }
  }

  private static let answers: [Answer] = [
    ntfy(40101, .refused, "ntfy access everyone"), ntfy(40301, .refused, "ntfy access everyone"),
    ntfy(41301, .oversize, "attachment"), ntfy(42901, .throttled, "visitor-request-limit-exempt-hosts"),
    ntfy(42905, .throttled, "volume"), ntfy(42908, .throttled, "messages at ntfy are used up"),
    ntfy(50701, .unsubscribed, "Open the ntfy app"), ntfy(40401, .gone, "base-url"),
    autopush(400, 101, .rejected, "report"), autopush(404, 102, .gone, "register again"),
    autopush(410, 103, .gone, "ended"), autopush(410, 105, .gone, "ended"),
    autopush(410, 106, .gone, "ended"), autopush(413, 104, .oversize, "too large"),
    autopush(400, 108, .rejected, "register again"), autopush(401, 109, .refused, "clock"),
    autopush(400, 110, .rejected, "encryption"), autopush(400, 111, .rejected, "TTL"),
    autopush(400, 112, .rejected, "WAKE_TTL"), autopush(400, 113, .rejected, "Topic"),
    autopush(400, 114, .rejected, "Urgency"), autopush(503, 201, .server, "patience"),
    autopush(502, 901, .server, "passes by itself"), autopush(502, 902, .server, "passes by itself"),
    autopush(502, 903, .server, "passes by itself"),
    apple(403, "BadJwtToken", .refused, "WAKE_CONTACT"), apple(400, "BadJwtToken", .refused, "WAKE_CONTACT"),
    apple(400, "VapidPkHashMismatch", .refused, "another VAPID key"),
    apple(400, "BadWebPushTopic", .rejected, "fault of this service"), apple(400, "BadTtl", .rejected, "TTL"),
    apple(400, "BadUrgency", .rejected, "Urgency"), apple(400, "BadWebPushRequest", .rejected, "form"),
    apple(413, "PayloadTooLarge", .oversize, "too large"), apple(410, "Unregistered", .gone, "ended"),
    apple(429, "TooManyRequests", .throttled, "too many"), apple(503, "ServiceUnavailable", .server, "busy"),
    Answer(
      status: 403,
      body:
        "the VAPID credentials in the authorization header do not correspond to the credentials used to create "
        + "the subscriptions.\n", outcome: .refused, advice: "another VAPID key"),
    Answer(status: 410, body: "NotRegistered", outcome: .gone, advice: "ended"),
  ]

  private static func ntfy(_ code: Int, _ outcome: PushOutcome, _ advice: String) -> Answer {
    Answer(
      status: code / 100, body: #"{"code":\#(code),"http":\#(code / 100),"error":"its words"}"#,
      outcome: outcome,
      advice: advice)
  }

  private static func autopush(_ status: Int, _ errno: Int, _ outcome: PushOutcome, _ advice: String)
    -> Answer
  {
    let body =
      #"{"code":\#(status),"errno":\#(errno),"error":"Its","message":"words","more_info":"http://x"}"#
    return Answer(status: status, body: body, outcome: outcome, advice: advice)
  }

  private static func apple(_ status: Int, _ reason: String, _ outcome: PushOutcome, _ advice: String)
    -> Answer
  {
    Answer(status: status, body: #"{"reason":"\#(reason)"}"#, outcome: outcome, advice: advice)
  }

  /// What a row with this answer means.
  private func explanation(of answer: PushAnswer) throws -> Explanation {
    try #require(
      Explanation.of(
        outcome: answer.outcome, status: answer.status, reason: answer.reason,
        pushServer: "http://127.0.0.1:8080"))
  }

  @Test(
    "a code that is known is kept with the push server's own words, and explained by it", arguments: answers)
  func known(answer: Answer) async throws {
    let (got, _) = try await PushHarness.send { _ in .status(answer.status, body: answer.body) }
    #expect(got.outcome == answer.outcome)
    let reason = try #require(got.reason)
    #expect(reason.hasPrefix(answer.body.prefix(20)), "\(reason)")
    #expect(reason.unicodeScalars.count <= PushReason.lengthMaximum)
    let explanation = try explanation(of: got)
    #expect("\(explanation.cause) \(explanation.fix)".contains(answer.advice), "\(explanation)")
    #expect(!explanation.cause.contains("not known"))
  }

  @Test(
    "a row of before, with advice in front of the words, is read by the same code",
    arguments: [
      (
        403,
        "ntfy lets nobody write to this topic unasked; run there: ntfy access everyone 'up*' write-only: "
          + #"{"code":40301,"http":403,"error":"forbidden","link":"https://ntf"#, "ntfy access"
      ),
      (
        401,
        "autopush does not take the VAPID token; check this machine's clock, then WAKE_CONTACT: "
          + #"{"code":401,"errno":109,"error":"Unauthoriz"#, "timedatectl"
      ),
    ])
  func ofBefore(status: Int, reason: String, advice: String) throws {
    let explanation = try #require(
      Explanation.of(
        outcome: .refused, status: status, reason: reason, pushServer: "https://push.example"))
    #expect(explanation.fix.contains(advice))
  }

  @Test("a code that stands beyond what is kept of the words is put in front of them")
  func farBehind() async throws {
    let body = #"{"error":"\#(String(repeating: "x", count: 300))","code":40301}"#
    let (answer, _) = try await PushHarness.send { _ in .status(403, body: body) }
    #expect(answer.reason?.hasPrefix(#"{"code":40301} {"error":"xxx"#) == true, "\(answer)")
    #expect(answer.reason?.unicodeScalars.count == PushReason.lengthMaximum)
    #expect(try explanation(of: answer).fix.contains("ntfy access"))
  }

  @Test(
    "anything else is left to its own words, and said to be unknown",
    arguments: [
      (403, #"{"code":40302,"http":403,"error":"x"}"#), (500, #"{"code":40301,"http":403,"error":"x"}"#),
      (403, #"{"code":"x40301"}"#), (400, #"{"errno":9223372036854775808}"#), (400, #"{"errno":0}"#),
      (400, #"{"reason":"Other"}"#), (400, #"{"reason":null}"#), (400, "BadWebPushTopic"), (400, "{}"),
      (418, "teapot"),
    ])
  func unknown(status: Int, body: String) async throws {
    let (answer, _) = try await PushHarness.send { _ in .status(status, body: body) }
    #expect(answer.reason == body)
    let explanation = try explanation(of: answer)
    #expect(explanation.cause.contains("Its words: “\(body)”"), "\(explanation)")
    #expect(explanation.cause.contains("\(status)"))
  }

  @Test("what is echoed behind a code is masked all the same")
  func masked() async throws {
    let body = #"{"code":40301,"http":403,"error":"no upAbC123 for you"}"#
    let (answer, _) = try await PushHarness.send(path: "/upAbC123?up=1") { _ in .status(403, body: body) }
    #expect(answer.reason?.contains("upAbC123") == false)
    #expect(answer.reason?.contains("40301") == true)
    let explanation = try explanation(of: answer)
    #expect(!"\(explanation)".contains("upAbC123") && explanation.fix.contains("ntfy access"))
  }

  @Test("of a body that is longer than what is kept, no code beyond the words is looked for")
  func cut() async throws {
    let body = #"{"more":"\#(String(repeating: "x", count: 5_000))","reason":"BadJwtToken"}"#
    let (answer, _) = try await PushHarness.send { _ in .status(403, body: body) }
    #expect(answer.outcome == .refused)
    #expect(answer.reason?.hasPrefix(#"{"more":"xxx"#) == true)
    #expect(try explanation(of: answer).cause.contains("xxx"))
  }
}
