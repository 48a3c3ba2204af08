import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("What came of many attempts, kept in one call")
struct CompletionTests {
  private static let now = TemporaryStore.now
  private static let tables = [
    "attempts", "devices", "subscriptions", "push_servers", "endpoint_holds", "origin_holds",
  ]

  @Test("comes to the same as one by one, in whatever order", arguments: 0..<24 as Range<UInt64>)
  func sameAsOneByOne(seed: UInt64) async throws {
    let temporary = try TemporaryStore()
    var random = SeededNumbers(seed: seed)
    let results = try await Self.results(temporary, &random)
    let session = try Session.open(
      path: temporary.store.path, keys: temporary.store.keys, random: .system, options: StoreOptions(),
      isReader: false)
    let before = try Self.rows(session)
    var outcomes: [[String]] = []
    for size in [1, 7, results.count] {
      try session.database.execute("BEGIN")
      for start in stride(from: 0, to: results.count, by: size) {
        try session.complete(Array(results[start..<min(start + size, results.count)]), at: Self.now + 500)
      }
      outcomes.append(try Self.rows(session))
      session.database.rollBack()
    }
    #expect(try Self.rows(session) == before)
    #expect(outcomes[0] != before)
    #expect(outcomes[1] == outcomes[0])
    #expect(outcomes[2] == outcomes[0])
  }

  /// Results of attempts to devices of two stacks on two push servers, some of them twice, in no order.
  private static func results(
    _ temporary: TemporaryStore, _ random: inout SeededNumbers
  ) async throws -> [AttemptResult] {
    let store = temporary.store
    var results: [AttemptResult] = []
    for label in ["home", "cabin"] {
      let stack = try await temporary.stack(label).stack.id
      for number in 0..<3 {
        let origin = "https://\(number % 2).example"
        let device = try await temporary.register(
          stack, subscription: .at("\(label)-\(number)", origin: origin)
        ).device.id
        for _ in 0..<6 {
          let alert = try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: now).id
          let attempt = NewAttempt(
            stack: stack, device: device, alertFirst: alert, alertLast: alert, alertCount: 1,
            receipt: Bool.random(using: &random) ? TemporaryStore.receipt() : nil,
            pushServer: Int.random(in: 0..<8, using: &random) > 0 ? origin : nil,
            purpose: [.alert, .alert, .test, .activation].randomElement(using: &random) ?? .alert)
          let begun = try await store.beginAttempts(
            [attempt], at: now + Int64.random(in: 0..<90, using: &random))
          let id = try #require(begun.first)
          let digest = store.keys.endpointDigest("\(origin)/\(label)-\(number)")
          for _ in 0..<(Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1) {
            results.append(result(of: id, digest, &random))
          }
        }
      }
    }
    return results.shuffled(using: &random)
  }

  private static func result(
    of id: AttemptID, _ digest: [UInt8], _ random: inout SeededNumbers
  ) -> AttemptResult {
    let outcomes: [AttemptOutcome] = [
      .accepted, .accepted, .accepted, .throttled, .refused, .network, .gone, .held, .coalesced, .unknown,
    ]
    let outcome = outcomes.randomElement(using: &random) ?? .accepted
    var result = AttemptResult(
      id: id, outcome: outcome, status: outcome == .refused ? 403 : nil,
      reason: outcome == .refused ? "reason \(id)" : nil, milliseconds: Int(id))
    if outcome == .throttled {
      result.hold = .began(
        endpointDigest: digest, until: now + Int64.random(in: 1..<9_000, using: &random), refusals: Int(id),
        originUntil: Bool.random(using: &random) ? now + Int64.random(in: 1..<9_000, using: &random) : nil)
    }
    // One that changed since is let alone.
    if outcome == .gone {
      result.erasure = Erasure(
        endpointDigest: digest, generation: Int64.random(in: 0..<12, using: &random), status: 410,
        pushServer: "https://0.example")
    }
    return result
  }

  /// All that the completion of attempts may touch, as text.
  private static func rows(_ session: Session) throws(RegistryError) -> [String] {
    var rows: [String] = []
    for table in tables {
      let columns = try session.database.all("SELECT name FROM pragma_table_info('\(table)')") { $0.text(0) }
      let text = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
      rows += try session.database.all("SELECT \(text) FROM \(table) ORDER BY 1") { "\(table) \($0.text(0))" }
    }
    return rows
  }
}
