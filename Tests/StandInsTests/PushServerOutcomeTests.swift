import CryptoPrimitives
import PushDelivery
import StandIns
import Testing
import WakeServer
import WebPushCrypto

@Suite("What the service's sender makes of whom the push server plays")
struct PushServerOutcomeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let plays: PushServerPersonality
    let path: String
    let outcome: PushOutcome
    let status: Int
    var pause: Int?
    var words: String?

    init(
      _ plays: PushServerPersonality, _ path: String, _ outcome: PushOutcome, _ status: Int,
      pause: Int? = nil,
      says words: String? = nil
    ) {
      self.plays = plays
      self.path = path
      self.outcome = outcome
      self.status = status
      self.pause = pause
      self.words = words
    }

    var testDescription: String { "\(plays.rawValue) \(path)" }
  }

  static let rows: [Row] = [
    Row(.strict, "/up/a", .accepted, 201), Row(.ntfy, "/upabcdefghijk?up=1", .accepted, 200),
    Row(.nextpush, "/push/a", .accepted, 201), Row(.autopush, "/wpush/v2/a", .accepted, 201),
    Row(.prosody, "/push/a", .accepted, 201), Row(.fcm, "/fcm/send/a", .accepted, 201),
    Row(.apple, "/QABC", .accepted, 201),
    Row(.strict, "/gone", .gone, 410), Row(.strict, "/unknown", .gone, 404),
    Row(.strict, "/throttled", .throttled, 429, pause: 60),
    Row(.strict, "/overloaded", .throttled, 503, pause: 60),
    Row(.strict, "/unsubscribed", .unsubscribed, 507),
    Row(.strict, "/other-key", .refused, 403, says: "VAPID"), Row(.strict, "/oversize", .oversize, 413),
    Row(.strict, "/moved", .redirected, 307), Row(.strict, "/status-500", .server, 500),
    Row(.strict, "/status-418", .rejected, 418), Row(.strict, "/status-204", .accepted, 204),
    Row(.strict, "/status-503-after-7", .throttled, 503, pause: 7),
    Row(.ntfy, "/rate-limited", .throttled, 429, says: "42901"),
    Row(.ntfy, "/day-limit", .throttled, 429, says: "42908"),
    Row(.ntfy, "/unsubscribed", .unsubscribed, 507, says: "50701"),
    Row(.ntfy, "/read-only", .refused, 403, says: "40301"), Row(.nextpush, "/unknown", .gone, 404),
    Row(.autopush, "/unknown", .gone, 404), Row(.autopush, "/gone", .gone, 410),
    Row(.autopush, "/unsubscribed", .gone, 410), Row(.autopush, "/unavailable", .gone, 410),
    Row(.autopush, "/crypto", .rejected, 400, says: "101"),
    Row(.autopush, "/other-key", .refused, 401, says: "109"),
    Row(.autopush, "/router", .rejected, 400, says: "108"), Row(.autopush, "/upstream", .server, 502),
    Row(.autopush, "/overloaded", .throttled, 503, pause: 120),
    Row(.prosody, "/unknown", .gone, 404), Row(.prosody, "/broken", .server, 500),
    Row(.prosody, "/lost", .accepted, 201), Row(.fcm, "/gone", .gone, 410),
    Row(.fcm, "/other-key", .refused, 403, says: "VAPID"), Row(.fcm, "/throttled", .throttled, 429),
    Row(.fcm, "/overloaded", .throttled, 503, pause: 60),
    Row(.apple, "/throttled", .throttled, 429, says: "TooManyRequests"),
    Row(.apple, "/overloaded", .server, 503, says: "ServiceUnavailable"),
    Row(.apple, "/gone", .gone, 410), Row(.apple, "/other-key", .refused, 400, says: "VapidPkHashMismatch"),
    Row(.apple, "/bad-jwt", .refused, 403, says: "BadJwtToken"),
    Row(.apple, "/bad-topic", .rejected, 400, says: "BadWebPushTopic"),
  ]

  @Test("each answer is one outcome", arguments: rows)
  func outcome(_ row: Row) async throws {
    let (answer, explanation) = try await Self.send(to: row.path, of: row.plays)
    #expect(answer.outcome == row.outcome && answer.status == row.status, "\(answer)")
    #expect(answer.retryAfterSeconds == row.pause)
    if let words = row.words { #expect(answer.reason?.contains(words) == true, "\(answer)") }
    if row.outcome == .accepted { #expect(answer.reason == nil) }
    #expect((explanation == nil) == (row.outcome == .accepted))
    #expect(explanation?.cause.contains(row.path) != true && explanation?.fix.contains(row.path) != true)
  }

  static let refusals: [(PushServerPersonality, String, Int64, String)] = [
    (.strict, "/other-key", 3_600, "The app has to register again:"),
    (.autopush, "/other-key", 3_600, "The app has to register again:"),
    (.strict, "/up/a", -60, "Check this machine's clock (timedatectl)"),
    (.autopush, "/wpush/v2/a", -60, "Check this machine's clock (timedatectl)"),
  ]

  @Test(
    "a key of another subscription is mended by registering anew, a token out of date by the clock",
    arguments: refusals)
  func refused(plays: PushServerPersonality, path: String, lifetime: Int64, fix: String) async throws {
    let (answer, explanation) = try await Self.send(to: path, of: plays, tokenSeconds: lifetime)
    #expect(answer.outcome == .refused, "\(answer)")
    #expect(explanation?.fix.hasPrefix(fix) == true, "\(String(describing: explanation))")
  }

  /// Sends one wake to a path of the push server; `tokenSeconds` is how far ahead its token ends.
  private static func send(
    to path: String, of plays: PushServerPersonality, tokenSeconds: Int64 = 3_600
  ) async throws -> (PushAnswer, Explanation?) {
    let server = try StandInPushServer(rules: PushServerRules(as: plays))
    let policy = AddressPolicy(allow: try PushAllowList(parsing: server.origin), ownListeners: .none)
    let clock = WallClock.system
    let sender = try PushSender(
      policy: policy, configuration: PushSenderConfiguration(nowMilliseconds: clock.now))
    let token = try VAPIDToken.signed(
      audience: server.origin, expiresAt: clock.now() / 1_000 + tokenSeconds,
      subject: "mailto:me@box.example",
      by: VAPIDKeyPair.generate())
    let body = try WebPushMessage.encrypt([1], for: UserAgentKeyPair.generate().keys, bodyLength: 256)
    let answer = await sender.send(
      WakeMessage(
        endpoint: try policy.endpoint(from: server.origin + path), topic: Topic(secret: Array(0..<32)),
        ttlSeconds: 86_400, authorization: token.authorization, body: body, endpointDigest: [1]))
    await sender.shutdown()
    await server.stop()
    let explanation = Explanation.of(
      outcome: answer.outcome, status: answer.status, reason: answer.reason, pushServer: server.origin)
    return (answer, explanation)
  }

  @Test("every condition that a push server plays is in the table", arguments: PushServerPersonality.allCases)
  func covered(plays: PushServerPersonality) {
    let asked = Set(Self.rows.filter { $0.plays == plays }.map(\.path))
    // Those that take the wake, late or not at all, need no row of their own.
    let silent: Set = ["silent", "slow", "limited", "bridge"]
    for condition in plays.character.conditions where plays != .hostile && !silent.contains(condition.name) {
      #expect(asked.contains("/\(condition.name)"), "\(condition.name)")
    }
  }
}
