import PushDelivery
import TestSupport
import Testing

@Suite("What push servers say by codes of their own")
struct PushServerCodeTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let status: Int
    let body: String
    let outcome: PushOutcome
    let advice: String

    var testDescription: String { "\(status) \(body)" }
  }

  private static let answers: [Answer] = [
    ntfy(40101, .refused, "ntfy access everyone"), ntfy(40301, .refused, "ntfy access everyone"),
    ntfy(41301, .oversize, "attachment"), ntfy(42901, .throttled, "visitor-request-limit-exempt-hosts"),
    ntfy(42905, .throttled, "volume"), ntfy(42908, .throttled, "messages at ntfy are used up"),
    ntfy(50701, .unsubscribed, "open the ntfy app"),
    autopush(404, 102, .gone, "register again"), autopush(410, 103, .gone, "ended"),
    autopush(410, 105, .gone, "ended"), autopush(410, 106, .gone, "ended"),
    autopush(413, 104, .oversize, "too large"), autopush(401, 109, .refused, "clock"),
    autopush(400, 112, .rejected, "WAKE_TTL"), autopush(503, 201, .server, "patience"),
    autopush(502, 901, .server, "passes by itself"), autopush(502, 902, .server, "passes by itself"),
    autopush(502, 903, .server, "passes by itself"),
    apple(403, "BadJwtToken", .refused, "WAKE_CONTACT"), apple(400, "BadJwtToken", .refused, "WAKE_CONTACT"),
    apple(400, "VapidPkHashMismatch", .refused, "another VAPID key"),
    apple(400, "BadWebPushTopic", .rejected, "fault of this service"),
    Answer(
      status: 403,
      body:
        "the VAPID credentials in the authorization header do not correspond to the credentials used to create "
        + "the subscriptions.\n", outcome: .refused, advice: "another VAPID key"),
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

  @Test("a code that is known comes with what to do, before the push server's own words", arguments: answers)
  func known(answer: Answer) async throws {
    let (got, _) = try await PushHarness.send { _ in .status(answer.status, body: answer.body) }
    #expect(got.outcome == answer.outcome)
    let reason = try #require(got.reason)
    #expect(reason.contains(answer.advice), "\(reason)")
    #expect(reason.contains(": \(answer.body.prefix(20))"), "\(reason)")
    #expect(reason.unicodeScalars.count <= PushReason.lengthMaximum)
  }

  @Test(
    "anything else is left to its own words",
    arguments: [
      (403, #"{"code":40302,"http":403,"error":"x"}"#), (500, #"{"code":40301,"http":403,"error":"x"}"#),
      (403, #"{"code":"40301"}"#), (403, #"{"code":40301,"code":40301}"#), (403, #"[{"code":40301}]"#),
      (403, #"{"code":40301"#), (400, #"{"errno":9223372036854775808}"#), (400, #"{"errno":0}"#),
      (400, #"{"reason":"Other"}"#), (400, #"{"reason":null}"#), (400, "BadWebPushTopic"), (400, "{}"),
    ])
  func unknown(status: Int, body: String) async throws {
    let (answer, _) = try await PushHarness.send { _ in .status(status, body: body) }
    #expect(answer.reason == body)
  }

  @Test("what is echoed behind a code is masked all the same")
  func masked() async throws {
    let body = #"{"code":40301,"http":403,"error":"no upAbC123 for you"}"#
    let (answer, _) = try await PushHarness.send(path: "/upAbC123?up=1") { _ in .status(403, body: body) }
    #expect(answer.reason?.contains("upAbC123") == false)
    #expect(answer.reason?.contains("ntfy access") == true)
  }

  @Test("a body that is longer than what is kept is not read for codes")
  func cut() async throws {
    let body = #"{"reason":"BadJwtToken","more":""# + String(repeating: "x", count: 5_000) + #""}"#
    let (answer, _) = try await PushHarness.send { _ in .status(403, body: body) }
    #expect(answer.outcome == .refused)
    #expect(answer.reason?.hasPrefix(#"{"reason":"BadJwtToken""#) == true)
  }
}
