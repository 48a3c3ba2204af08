import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Whom an alert wakes")
struct AlertWakeTests {
  @Test(
    "a stack's quiet kinds wake nobody, unless the core says otherwise; others do, unless it says otherwise")
  func policy() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    _ = try await temporary.register(stack, subscription: .at("one"))
    _ = try await store.setQuiet([.update, .backup], of: stack)
    var newestWaking: Int64 = 0
    for (kind, asked, wakes) in [
      (.problem, nil, true), (.update, nil, false), (.update, true, true), (.problem, false, false),
      (.backup, false, false), (.completion, true, true), (.backup, nil, false),
    ] as [(Kind, Bool?, Bool)] {
      let appended = try await store.appendAlert(NewAlert(kind: kind, wakes: asked), to: stack, at: 0)
      #expect(appended.wakes == wakes && appended.deviceCount == (wakes ? 1 : 0), "\(kind.name)")
      if wakes { newestWaking = appended.id.number }
      #expect(try temporary.database().integer("SELECT newest_waking FROM stacks") == newestWaking)
    }
    // Quiet or not, all are kept, without a gap.
    #expect(try await store.alerts(of: stack, after: nil, limit: 10).alerts.map(\.id.number) == Array(1...7))
    _ = try await store.setQuiet([], of: stack)
    #expect(try await store.appendAlert(NewAlert(kind: .backup), to: stack, at: 0).wakes)
  }

  @Test("a repeat wakes nobody, whatever the core asks for, and also where the first one was quiet")
  func repeats() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    _ = try await temporary.register(stack, subscription: .at("one"))
    for first in [true, false] {
      let ref = "ref-\(first)"
      let alert = NewAlert(kind: .problem, ref: ref, moment: .onset, wakes: first)
      #expect(try await store.appendAlert(alert, to: stack, at: 0).wakes == first)
      let again = NewAlert(kind: .problem, ref: ref, moment: .onset, wakes: true)
      let repeated = try await store.appendAlert(again, to: stack, at: 0)
      #expect(repeated.isRepeat && !repeated.wakes && repeated.deviceCount == 0)
    }
    #expect(try temporary.database().integer("SELECT newest_waking FROM stacks") == 1)
  }

  @Test("an onset after its resolved is new, and a repeat is one after a hundred other refs and a restart")
  func identity() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    func raise(_ ref: String, _ moment: Moment, _ store: SQLiteStore) async throws -> (Int64, Bool) {
      let appended = try await store.appendAlert(
        NewAlert(kind: .problem, ref: ref, moment: moment), to: stack, at: 0)
      return (appended.id.number, appended.isRepeat)
    }
    let first = temporary.store
    #expect(try await raise("vpn", .onset, first) == (1, false))
    #expect(try await raise("vpn", .resolved, first) == (2, false))
    #expect(try await raise("vpn", .onset, first) == (3, false))
    for number in 0..<100 { _ = try await raise("other \(number)", .onset, first) }
    #expect(try await raise("vpn", .onset, first) == (3, true))
    await first.close()
    let second = try temporary.another()
    #expect(try await raise("vpn", .onset, second) == (3, true))
    #expect(try await raise("vpn", .resolved, second) == (104, false))
    await second.close()
  }

  @Test("a page of alerts is found by number, however many are kept: no scan, no sorting")
  func plan() async throws {
    let temporary = try TemporaryStore()
    defer { withExtendedLifetime(temporary) {} }
    let plan = try temporary.database().all(
      "EXPLAIN QUERY PLAN " + Session.alertPage, .integer(1), .integer(9_800), .integer(201)
    ) { $0.text(3) }
    #expect(plan.contains { $0.contains("(stack=? AND number>?)") }, "\(plan)")
    #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
  }
}
