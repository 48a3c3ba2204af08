import CryptoPrimitives
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Alerts")
struct AlertTests {
  @Test("an alert is kept with all its members, and read back")
  func append() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack
    let alert = NewAlert(
      kind: .backup, event: "backup.overdue", ref: "nightly", moment: .onset,
      alert: Array(#"{"days":3}"#.utf8))
    let appended = try await temporary.store.appendAlert(alert, to: stack.id, at: 42)
    #expect(appended.id == AlertID(epoch: stack.newest.epoch, number: 1))
    #expect(appended.kind == .backup)
    #expect(!appended.isRepeat)
    let page = try await temporary.store.alerts(of: stack.id, after: nil, limit: 10)
    #expect(
      page.alerts == [
        Alert(
          id: appended.id, at: 42, kind: .backup, event: "backup.overdue", ref: "nightly", moment: .onset,
          alert: Array(#"{"days":3}"#.utf8))
      ])
    #expect(page.next == nil && page.gap == nil)
    #expect(try await temporary.store.stack(stack.id)?.newest == appended.id)
  }

  @Test("an alert of nothing but a kind has no other member")
  func bare() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let id = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 1).id
    let alerts = try await temporary.store.alerts(of: stack, after: nil, limit: 10).alerts
    #expect(alerts == [Alert(id: id, at: 1, kind: .problem, event: nil, ref: nil, moment: nil, alert: nil)])
  }

  @Test("a stack that is not there is not found")
  func noStack() async throws {
    let store = try TemporaryStore().store
    let nobody = StackID.minted(.system)
    await #expect(throws: RegistryError.notFound) {
      try await store.appendAlert(NewAlert(kind: .problem), to: nobody, at: 0)
    }
    await #expect(throws: RegistryError.notFound) { try await store.alerts(of: nobody, after: nil, limit: 1) }
  }

  @Test("a kind that was not declared joins the list, in list order")
  func joining() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack(kinds: [.update]).stack.id
    _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    #expect(try await temporary.store.stack(stack)?.kinds == [.problem, .update])
    _ = try await temporary.store.appendAlert(NewAlert(kind: .update), to: stack, at: 0)
    #expect(try await temporary.store.stack(stack)?.kinds == [.problem, .update])
  }

  @Test("a repeat of the newest alert with that ref is the first one, and the opposite moment is new")
  func repeats() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack(kinds: [.problem]).stack.id
    let other = try await temporary.stack("other").stack.id
    func raise(
      _ ref: String?, _ moment: Moment?, kind: Kind = .problem, in stack: StackID
    ) async throws -> (Int64, Bool) {
      let appended = try await temporary.store.appendAlert(
        NewAlert(kind: kind, ref: ref, moment: moment), to: stack, at: 0)
      return (appended.id.number, appended.isRepeat)
    }
    #expect(try await raise("vpn", .onset, in: stack) == (1, false))
    #expect(try await raise("vpn", .onset, in: stack) == (1, true))
    #expect(try await raise("disk", .onset, in: stack) == (2, false))
    #expect(try await raise("vpn", .onset, in: stack) == (1, true))
    #expect(try await raise("vpn", .resolved, in: stack) == (3, false))
    #expect(try await raise("vpn", .resolved, in: stack) == (3, true))
    #expect(try await raise("vpn", .onset, in: stack) == (4, false))
    #expect(try await raise("vpn", nil, in: stack) == (5, false))
    #expect(try await raise("vpn", nil, in: stack) == (5, true))
    // Without a ref nothing repeats anything.
    #expect(try await raise(nil, .onset, in: stack) == (6, false))
    #expect(try await raise(nil, .onset, in: stack) == (7, false))
    // Another stack's refs are its own.
    #expect(try await raise("vpn", nil, in: other) == (1, false))
    // A repeat declares no kind, and is told the kind on record.
    let repeated = try await temporary.store.appendAlert(
      NewAlert(kind: .member, ref: "vpn"), to: stack, at: 0)
    #expect(repeated.isRepeat && repeated.kind == .problem && repeated.deviceCount == 0)
    #expect(try await temporary.store.stack(stack)?.kinds == [.problem])
    #expect(try await temporary.store.alerts(of: stack, after: nil, limit: 100).alerts.count == 7)
  }

  @Test("a ref is the same only octet by octet")
  func canonicalEquivalence() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let refs = ["caf\u{E9}", "cafe\u{301}", "Caf\u{E9}", "caf\u{E9} ", ""]
    for ref in refs {
      let alert = NewAlert(kind: .problem, ref: ref, moment: .onset)
      #expect(try await !temporary.store.appendAlert(alert, to: stack, at: 0).isRepeat)
    }
    let kept = try await temporary.store.alerts(of: stack, after: nil, limit: 10).alerts.compactMap(\.ref)
    #expect(kept.map { Array($0.utf8) } == refs.map { Array($0.utf8) })
  }

  @Test("a repeat is one also after the store was opened again")
  func repeatsAfterReopening() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let alert = NewAlert(kind: .problem, ref: "vpn", moment: .onset)
    let first = try await temporary.store.appendAlert(alert, to: stack, at: 0)
    await temporary.store.close()
    let reopened = try temporary.another()
    let second = try await reopened.appendAlert(alert, to: stack, at: 0)
    #expect(second.isRepeat && second.id == first.id)
    let third = try await reopened.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    #expect(third.id == AlertID(epoch: first.id.epoch, number: 2))
  }

  @Test("of 64 that arrive at once with one ref and moment, one is new")
  func parallelRepeats() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let another = try temporary.another()
    let appended = try await withThrowingTaskGroup(of: AppendedAlert.self) { group in
      for number in 0..<64 {
        let store = number.isMultiple(of: 2) ? temporary.store : another
        group.addTask {
          try await store.appendAlert(NewAlert(kind: .problem, ref: "vpn", moment: .onset), to: stack, at: 0)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(appended.filter { !$0.isRepeat }.count == 1)
    #expect(Set(appended.map(\.id.number)) == [1])
    #expect(try temporary.count("alerts") == 1)
  }

  @Test("numbers have no gap and follow the order of commits, from several callers and two stores at once")
  func parallel() async throws {
    let temporary = try TemporaryStore()
    let stacks = [try await temporary.stack("one").stack.id, try await temporary.stack("two").stack.id]
    let another = try temporary.another()
    let perCaller = 20
    let sequences = try await withThrowingTaskGroup(of: (StackID, [Int64]).self) { group in
      for caller in 0..<16 {
        let store = caller.isMultiple(of: 2) ? temporary.store : another
        let stack = stacks[(caller / 2) % 2]
        group.addTask {
          var numbers: [Int64] = []
          for number in 0..<perCaller {
            // One in five fails, and takes no number.
            if number.isMultiple(of: 5) {
              await #expect(throws: RegistryError.notFound) {
                try await store.appendAlert(NewAlert(kind: .problem), to: .minted(.system), at: 0)
              }
            }
            numbers.append(try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0).id.number)
          }
          return (stack, numbers)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for stack in stacks {
      let ofStack = sequences.filter { $0.0 == stack }.map(\.1)
      // What one caller was answered one after the other has growing numbers.
      for numbers in ofStack { #expect(numbers == numbers.sorted()) }
      let all = ofStack.flatMap { $0 }.sorted()
      #expect(all == Array(1...Int64(8 * perCaller)))
      let kept = try await temporary.store.alerts(of: stack, after: nil, limit: 1_000).alerts.map(\.id.number)
      #expect(kept == all)
    }
  }

  @Test("an alert counts the devices that it wakes: with a subscription, and not muting its kind")
  func deviceCount() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let other = try await temporary.stack("other").stack.id
    func counts() async throws -> [Int] {
      var counts: [Int] = []
      for kind in [Kind.problem, .backup] {
        counts.append(try await store.appendAlert(NewAlert(kind: kind), to: stack, at: 0).deviceCount)
      }
      return counts
    }
    _ = try await temporary.register(other, subscription: .at("other"))
    #expect(try await counts() == [0, 0])
    let first = try await temporary.register(stack, subscription: .at("one")).device.id
    _ = try await temporary.register(stack)
    #expect(try await counts() == [1, 1])
    let second = try await temporary.register(stack, subscription: .at("two"), muted: [.backup]).device.id
    #expect(try await counts() == [2, 1])
    _ = try await store.updateDevice(first, DeviceChange(muted: .set([.problem, .backup])), at: 0)
    #expect(try await counts() == [1, 0])
    _ = try await store.updateDevice(
      second, DeviceChange(subscription: .set(.at("standin")), temporary: true), at: 0)
    #expect(try await counts() == [1, 0])
    _ = try await store.updateDevice(second, DeviceChange(subscription: .remove), at: 0)
    #expect(try await counts() == [1, 0])
    _ = try await store.updateDevice(second, DeviceChange(subscription: .remove, temporary: true), at: 0)
    #expect(try await counts() == [0, 0])
    _ = try await store.updateDevice(second, DeviceChange(subscription: .set(.at("two"))), at: 0)
    #expect(try await counts() == [1, 0])
    let target = try await temporary.target(stack, device: second)
    try await store.erase(target, at: 0)
    #expect(try await counts() == [0, 0])
    _ = try await store.updateDevice(first, DeviceChange(muted: .remove), at: 0)
    #expect(try await counts() == [1, 1])
    let silent = NewAlert(kind: .problem, wakes: false)
    #expect(try await store.appendAlert(silent, to: stack, at: 0).deviceCount == 0)
    try await store.removeDevice(first, at: 0)
    #expect(try await counts() == [0, 0])
    #expect(try temporary.database().integer("SELECT min(devices) FROM audience") == 0)
  }

  @Test("never more than the maximum are kept, and the numbers go on")
  func eviction() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    _ = try await temporary.store.appendAlert(NewAlert(kind: .problem, ref: "old"), to: stack, at: 0)
    let maximum = Int64(AlertRetention.alertsMaximum)
    try temporary.database().run("UPDATE stacks SET newest = ?", .integer(maximum))
    let appended = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    #expect(appended.id.number == maximum + 1)
    let page = try await temporary.store.alerts(of: stack, after: nil, limit: 10)
    #expect(page.alerts.map(\.id.number) == [2, maximum + 1])
    // An alert that is no longer kept is repeated by nothing.
    _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    let again = try await temporary.store.appendAlert(NewAlert(kind: .problem, ref: "old"), to: stack, at: 0)
    #expect(!again.isRepeat)
  }
}
