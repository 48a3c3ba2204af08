import CryptoPrimitives
import HTTPListener
import StandIns
import StrictJSON
import Testing
import WebPushCrypto

@Suite("Whom the push server plays")
struct PushServerPersonalityTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let plays: PushServerPersonality
    let what: String
    let status: Int
    /// Header fields that the answer has, `nil` for one that it must not have.
    var headers: [String: String?] = [:]
    /// What the body has: members of JSON, or text.
    var body: JSONObject = [:]
    var text: String?
    var change: @Sendable (inout SamplePush) throws -> Void = { _ in }

    var testDescription: String { "\(plays.rawValue): \(what)" }
  }

  private static func path(
    _ plays: PushServerPersonality, _ path: String, _ status: Int, headers: [String: String?] = [:],
    body: JSONObject = [:], text: String? = nil
  ) -> Row {
    Row(plays: plays, what: path, status: status, headers: headers, body: body, text: text) {
      $0.target = path
    }
  }

  private static let without: [String: String?] = ["Retry-After": nil]

  static let askedFor: [Row] = [
    path(.strict, "/gone/phone", 410), path(.strict, "/up/unknown-1", 404),
    path(.strict, "/throttled", 429, headers: ["Retry-After": "60"]),
    path(.strict, "/overloaded", 503, headers: ["Retry-After": "60"]), path(.strict, "/unsubscribed", 507),
    path(.strict, "/other-key", 403, text: "VAPID"), path(.strict, "/oversize", 413),
    path(.strict, "/moved?a=b", 307, headers: ["Location": "https://push.example/moved?a=b"]),
    path(.strict, "/status-418/x", 418, headers: without),
    path(.strict, "/status-500-phone", 500, headers: without),
    path(.strict, "/status-503-after-7-phone", 503, headers: ["Retry-After": "7"]),
    path(.strict, "/goner", 201), path(.strict, "/status-600", 201),
    path(.ntfy, "/rate-limited", 429, headers: without, body: ["code": 42901, "http": 429]),
    path(.ntfy, "/day-limit-up1?up=1", 429, headers: without, body: ["code": 42908]),
    path(.ntfy, "/unsubscribed", 507, body: ["code": 50701]),
    path(.ntfy, "/read-only", 403, body: ["code": 40301]), path(.ntfy, "/gone", 200),
    path(.nextpush, "/unknown", 404),
    path(.autopush, "/unknown", 404, body: ["errno": 102, "code": 404]),
    path(.autopush, "/gone", 410, body: ["errno": 103]),
    path(.autopush, "/unavailable", 410, body: ["errno": 105]),
    path(.autopush, "/unsubscribed", 410, body: ["errno": 106]),
    path(.autopush, "/crypto", 400, body: ["errno": 101]),
    path(.autopush, "/router", 400, body: ["errno": 108]),
    path(.autopush, "/other-key", 401, body: ["errno": 109]), path(.autopush, "/bridge", 201),
    path(.autopush, "/upstream", 502, body: ["errno": 902]),
    path(.autopush, "/overloaded", 503, headers: ["Retry-After": "120"], body: ["errno": 201]),
    path(.prosody, "/unknown", 404), path(.prosody, "/broken", 500), path(.prosody, "/lost", 201),
    path(.fcm, "/gone", 410, text: "NotRegistered"), path(.fcm, "/other-key", 403, text: "VAPID"),
    path(.fcm, "/throttled", 429, headers: without),
    path(.fcm, "/overloaded", 503, headers: ["Retry-After": "60"]),
    path(.apple, "/gone", 410, body: ["reason": "Unregistered"]),
    path(.apple, "/other-key", 400, body: ["reason": "VapidPkHashMismatch"]),
    path(.apple, "/bad-jwt", 403, body: ["reason": "BadJwtToken"]),
    path(.apple, "/bad-topic", 400, body: ["reason": "BadWebPushTopic"]),
    path(.apple, "/throttled", 429, body: ["reason": "TooManyRequests"]),
    path(.apple, "/overloaded", 503),
  ]

  private static func row(
    _ plays: PushServerPersonality, _ what: String, _ status: Int, headers: [String: String?] = [:],
    body: JSONObject = [:], text: String? = nil,
    _ change: @escaping @Sendable (inout SamplePush) throws -> Void
  ) -> Row {
    Row(
      plays: plays, what: what, status: status, headers: headers, body: body, text: text, change: change)
  }

  private static let tooLong: @Sendable (inout SamplePush) -> Void = { $0.setBody(record: 4_096) }
  private static let empty: @Sendable (inout SamplePush) -> Void = { $0.body = [] }
  private static let unsigned: @Sendable (inout SamplePush) -> Void = { $0.set("Authorization") }
  private static let local: @Sendable (inout SamplePush) throws -> Void = {
    try $0.claim(subject: #""mailto:me@localhost""#)
  }
  private static let noTTL: @Sendable (inout SamplePush) -> Void = { $0.set("TTL") }
  private static let badTopic: @Sendable (inout SamplePush) -> Void = { $0.set("Topic", "abcde") }

  static let faulty: [Row] = [
    row(.strict, "no token", 401, headers: ["WWW-Authenticate": "vapid"], text: "authorization", unsigned),
    row(.strict, "local sub", 403, text: "subject", local), row(.strict, "no TTL", 400, text: "ttl", noTTL),
    row(.strict, "bad topic", 400, text: "topic", badTopic),
    row(.strict, "empty", 400, text: "length", empty),
    row(.strict, "too long", 413, tooLong),
    row(.strict, "other encoding", 415) { $0.set("Content-Encoding", "gzip") },
    row(.strict, "GET", 405, headers: ["Allow": "POST"]) { $0.method = "GET" },
    row(.ntfy, "no token", 200, unsigned), row(.ntfy, "no TTL", 200, noTTL),
    row(.ntfy, "empty", 200, body: ["message": "triggered"], empty), row(.ntfy, "too long", 200, tooLong),
    row(.nextpush, "no token", 201, unsigned), row(.nextpush, "bad topic", 201, badTopic),
    row(.autopush, "no token", 401, body: ["errno": 109], unsigned),
    row(.autopush, "local sub", 401, body: ["errno": 109], local),
    row(.autopush, "no TTL", 400, body: ["errno": 111], noTTL),
    row(.autopush, "bad TTL", 400, body: ["errno": 112]) { $0.set("TTL", "x") },
    row(.autopush, "bad topic", 400, body: ["errno": 113], badTopic),
    row(.autopush, "other encoding", 400, body: ["errno": 110]) { $0.set("Content-Encoding", "gzip") },
    row(.autopush, "too long", 413, body: ["errno": 104], tooLong),
    row(.autopush, "too long for its bridge", 413, body: ["errno": 104]) {
      $0.target = "/bridge-1"
      $0.setBody(record: 2_745 - 86)
    },
    row(.prosody, "no token", 201, unsigned), row(.prosody, "empty", 400, empty),
    row(.prosody, "too long", 413, tooLong),
    row(.fcm, "no token", 403, text: "VAPID", unsigned), row(.fcm, "too long", 413, tooLong),
    row(.apple, "no token", 403, body: ["reason": "BadJwtToken"], unsigned),
    row(.apple, "local sub", 403, body: ["reason": "BadJwtToken"], local),
    row(.apple, "bad topic", 400, body: ["reason": "BadWebPushTopic"], badTopic),
    row(.apple, "too long", 413, body: ["reason": "PayloadTooLarge"], tooLong),
  ]

  static let inOrder: [Row] = [
    row(.strict, "201", 201, headers: ["TTL": "86400"]) { _ in },
    row(
      .ntfy, "200 and an echo", 200, headers: ["Location": nil], body: ["event": "message", "topic": "phone"]
    ) {
      $0.target = "/phone?up=1"
    },
    row(.nextpush, "201 with TTL 0", 201, headers: ["TTL": "0"]) { _ in },
    row(.autopush, "201 with TTL", 201, headers: ["TTL": "86400"]) { _ in },
    row(.prosody, "201 alone", 201, headers: ["TTL": nil, "Location": nil]) { _ in },
    row(.fcm, "201", 201, headers: ["TTL": nil]) { _ in }, row(.apple, "201", 201) { _ in },
    row(.hostile, "201 where no fault is named", 201) { _ in },
  ]

  @Test("a message that is in order is taken as each takes it", arguments: inOrder)
  func taken(_ row: Row) throws { try expect(row) }

  @Test("an endpoint gets what its path asks for", arguments: askedFor)
  func asks(_ row: Row) throws { try expect(row) }

  @Test("a fault is answered as each answers it, or not minded", arguments: faulty)
  func refused(_ row: Row) throws { try expect(row) }

  private func expect(_ row: Row) throws {
    var push = try SamplePush()
    try row.change(&push)
    let reaction = PushServerRules(as: row.plays).reaction(to: push.received)
    guard case .answer(let answer) = reaction.deed else {
      Issue.record("no answer")
      return
    }
    #expect(answer.status == row.status)
    for (name, value) in row.headers { #expect(answer.header(name) == value) }
    let text = String(decoding: answer.body, as: UTF8.self)
    if !row.body.isEmpty {
      let object = try #require(try StrictJSON.parse(answer.body).object)
      for member in row.body.members { #expect(object[member.name] == member.value, "\(text)") }
    }
    if let words = row.text { #expect(text.contains(words), "\(text)") }
  }

  @Test("what is said does not hold the name that asked for it, which a sender that masks paths would hide")
  func names() throws {
    for plays in PushServerPersonality.allCases {
      for condition in plays.character.conditions {
        var push = try SamplePush()
        push.target = "/\(condition.name)"
        let reaction = PushServerRules(as: plays).reaction(to: push.received)
        guard case .answer(let answer) = reaction.deed, answer.status >= 400 else { continue }
        let said = String(decoding: answer.body, as: UTF8.self).lowercased()
        #expect(!said.contains(condition.name), "\(plays.rawValue): \(said)")
      }
    }
  }

  @Test("201 says where the message is, by those that say it")
  func location() throws {
    let push = try SamplePush().received
    for plays in [PushServerPersonality.strict, .autopush, .fcm] {
      let reaction = PushServerRules(as: plays).reaction(to: push)
      guard case .answer(let answer) = reaction.deed else { continue }
      #expect(answer.header("Location")?.hasPrefix("https://push.example/m") == true)
      #expect(answer.header("Location")?.contains("phone") == false)
    }
  }

  @Test("ntfy cuts what is beyond 4096 octets, and says nothing of it")
  func cut() throws {
    var push = try SamplePush()
    push.setBody(record: 5_000)
    let reaction = PushServerRules(as: .ntfy).reaction(to: push.received)
    guard case .answer(let answer) = reaction.deed else { return }
    let message = try #require(try StrictJSON.parse(answer.body)["message"]?.string)
    #expect(Base64URL.decodeEitherAlphabet(message) == Array(push.body.prefix(4_096)))
  }

  @Test("ntfy's limit is 60 messages of all its topics, and then one every 5 s")
  func limit() throws {
    let rules = PushServerRules(as: .ntfy)
    func statuses(_ count: Int, after seconds: Int64) throws -> [Int] {
      var push = try SamplePush()
      return (0..<count).compactMap { number in
        push.target = "/limited-\(number % 3)"
        let received = ReceivedPush(
          push.received.request, scheme: "https", nowSeconds: SamplePush.now + seconds)
        guard case .answer(let answer) = rules.reaction(to: received).deed else { return nil }
        return answer.status
      }
    }
    #expect(try statuses(61, after: 0) == Array(repeating: 200, count: 60) + [429])
    #expect(try statuses(1, after: 4) == [429])
    #expect(try statuses(3, after: 11) == [200, 200, 429])
    #expect(try statuses(1, after: 10) == [429])
    #expect(try statuses(61, after: 10_000) == Array(repeating: 200, count: 60) + [429])
  }

  @Test("a silent Prosody answers after two minutes")
  func silence() throws {
    var push = try SamplePush()
    push.target = "/silent"
    #expect(PushServerRules(as: .prosody).reaction(to: push.received).delayMilliseconds == 120_000)
  }

  @Test(
    "an endpoint is bound to the key that used it first",
    arguments: [(.strict, 403), (.fcm, 403), (.apple, 400), (.autopush, 401), (.prosody, 201), (.ntfy, 200)]
      as [(PushServerPersonality, Int)])
  func binding(plays: PushServerPersonality, status: Int) throws {
    let rules = PushServerRules(as: plays)
    let first = try SamplePush()
    for _ in 0..<2 { #expect(rules.reaction(to: first.received).faults == []) }
    let other = try SamplePush()
    let reaction = rules.reaction(to: other.received)
    #expect(reaction.faults.map(\.part) == [.key])
    guard case .answer(let answer) = reaction.deed else { return }
    #expect(answer.status == status)
    var elsewhere = other
    elsewhere.target = "/up/another"
    #expect(rules.reaction(to: elsewhere.received).faults == [])
  }

  @Test("without checks everything is taken, and what a path asks for is still said")
  func unchecked() throws {
    let rules = PushServerRules(as: .strict, checks: false)
    var push = try SamplePush()
    push.set("Authorization")
    var reaction = rules.reaction(to: push.received)
    #expect(reaction.faults == [])
    guard case .answer(let taken) = reaction.deed else { return }
    #expect(taken.status == 201)
    push.target = "/gone"
    reaction = rules.reaction(to: push.received)
    guard case .answer(let gone) = reaction.deed else { return }
    #expect(gone.status == 410 && reaction.cause == "gone")
  }
}
