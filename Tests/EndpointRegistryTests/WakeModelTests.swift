import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Fan-outs against a model of them")
struct WakeModelTests {
  /// A store and a model that has to agree with it, step by step.
  private struct Run {
    var numbers: SeededNumbers
    var temporary: TemporaryStore
    var store: SQLiteStore
    let stack: StackID
    var model: WakeModel
    var now = TemporaryStore.now
    var crashes = 0
    var skipped = 0

    init(seed: UInt64) async throws {
      numbers = SeededNumbers(seed: seed)
      temporary = try TemporaryStore()
      store = temporary.store
      stack = try await temporary.stack().stack.id
      model = WakeModel(window: 30_000, fresh: 120_000)
      for number in 0..<6 {
        let result = try await temporary.register(stack, subscription: .at("device-\(number)"))
        model.devices[result.device.id] = WakeModel.Device(seen: 0)
      }
    }

    private mutating func device() -> DeviceID {
      let ids = model.devices.keys.sorted()
      return ids[Int.random(in: 0..<ids.count, using: &numbers)]
    }

    private mutating func kinds() -> [Kind] { Kind.allCases.filter { _ in numbers.chance(20) } }

    /// The service ends as if by a power cut, and starts again.
    private mutating func crash() async throws {
      crashes += 1
      let next = try temporary.another()
      await store.close()
      store = next
    }

    mutating func append() async throws {
      let kind = Kind.allCases[Int.random(in: 0..<Kind.allCases.count, using: &numbers)]
      let wakes = numbers.chance(85)
      let appended = try await store.appendAlert(NewAlert(kind: kind, wakes: wakes), to: stack, at: now)
      #expect(appended.id.number == model.newest + 1)
      model.alerts.append(.init(number: appended.id.number, kind: kind, wakes: wakes, at: now))
      let heard = model.devices.values.filter { $0.isSubscribed && !$0.muted.contains(kind) }
      #expect(appended.deviceCount == (wakes ? heard.count : 0))
    }

    /// Something that a companion or an operator does at any time.
    mutating func change() async throws {
      let id = device()
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0:
        let muted = kinds()
        _ = try await store.updateDevice(id, DeviceChange(muted: .set(muted)), at: now)
        model.devices[id]?.muted = Set(muted)
      case 1:
        let path = "again-\(UInt64.random(in: 0 ... .max, using: &numbers))"
        _ = try await store.updateDevice(id, DeviceChange(subscription: .set(.at(path))), at: now)
        model.subscribe(id)
      case 2:
        _ = try await store.updateDevice(id, DeviceChange(subscription: .remove), at: now)
        model.devices[id]?.isSubscribed = false
      default:
        let seconds = [0, 5, 30, 90][Int.random(in: 0..<4, using: &numbers)]
        _ = try await store.setWindow(seconds, of: stack)
        model.window = Int64(seconds) * 1_000
      }
    }

    /// A fan-out in small pages, during which anything may happen; it may end in the middle.
    mutating func fanOut(isCalm: Bool = false) async throws {
      var after: DeviceID?
      var first: AlertID?
      repeat {
        let limit = Int.random(in: 1...4, using: &numbers)
        let rules = WakeRules(windowMilliseconds: 30_000, freshMilliseconds: model.fresh)
        let page = try await store.pendingWakes(of: stack, rules: rules, after: after, limit: limit, at: now)
        #expect(page.entries.map(\.device) == model.page(after: after, limit: limit))
        #expect(page.newest.number == model.newest)
        var decisions: [(PendingWake, WakeDecision)] = []
        var expected: [WakeModel.Entry] = []
        for wake in page.entries {
          let entry = model.entry(try #require(model.devices[wake.device]), at: now)
          check(wake, entry)
          expected.append(entry)
          decisions.append((wake, decide(wake, isCalm: isCalm)))
        }
        if !isCalm, numbers.chance(10) { return try await crash() }
        if !isCalm, numbers.chance(30) { try await change() }
        if !isCalm, numbers.chance(30) { try await append() }
        let ids = try await store.settle(decisions, of: stack, completing: nil, at: now)
        for (index, (wake, decision)) in decisions.enumerated() {
          let isSent = model.settle(wake.device, expected[index], decision, at: now)
          #expect((ids[index] != nil) == isSent)
          if case .send = decision, !isSent { skipped += 1 }
        }
        if !isCalm, numbers.chance(10) { return try await crash() }
        first = first ?? page.newest
        after = page.next
      } while after != nil
      guard let first else { return }
      _ = try await store.settle([], of: stack, completing: first, at: now)
      model.settled = max(model.settled, first.number)
    }

    private mutating func decide(_ wake: PendingWake, isCalm: Bool) -> WakeDecision {
      guard wake.due != nil else { return .pass }
      if wake.windowEndsAt != nil { return .wait(.coalesced) }
      if !isCalm, numbers.chance(25) { return .wait(.held) }
      return .send(receipt: TemporaryStore.receipt())
    }

    private func check(_ wake: PendingWake, _ entry: WakeModel.Entry) {
      func span(_ alerts: [WakeModel.Alert]) -> String? {
        guard let first = alerts.first, let last = alerts.last else { return nil }
        return "\(first.number)-\(last.number) ×\(alerts.count)"
      }
      #expect(wake.muted?.numbers == span(entry.muted))
      #expect(wake.stale?.numbers == span(entry.stale))
      #expect(wake.due?.numbers == span(entry.due))
      #expect(wake.newlyDue?.numbers == span(entry.newlyDue))
      #expect(wake.windowEndsAt == entry.windowEndsAt)
      #expect((wake.target != nil) == (wake.due != nil && wake.windowEndsAt == nil))
    }

    /// Holds the rows against what was decided, and that against what was raised.
    func checkRows() async throws {
      #expect(try await store.stacksToNudge() == (model.isToBeNudged ? [stack] : []))
      for (id, device) in model.devices {
        let rows = try await store.attempts(AttemptFilter(device: id), before: nil, limit: 10_000).reversed()
        let sent = rows.filter { $0.outcome == .unknown }
        #expect(sent.map(\.at) == device.sent.map(\.at))
        #expect(sent.map(\.alertFirst?.number) == device.sent.map(\.alerts.first?.number))
        #expect(sent.map(\.alertLast?.number) == device.sent.map(\.alerts.last?.number))
        #expect(sent.map(\.alertCount) == device.sent.map(\.alerts.count))
        func count(_ outcomes: Set<AttemptOutcome>) -> Int {
          rows.filter { outcomes.contains($0.outcome) }.map(\.alertCount).reduce(0, +)
        }
        #expect(count([.muted]) == device.mutedAlerts.count)
        #expect(count([.stale]) == device.staleAlerts.count)
        #expect(count([.coalesced, .held]) == device.waitedAlerts.count)
        // Every waking alert that was looked at came to one end, and to one alone.
        let ends =
          device.sent.flatMap(\.alerts) + device.waiting + device.mutedAlerts + device.staleAlerts
        var told = ends.map(\.number)
        told += device.passedOver
        let raised = model.alerts.filter { $0.wakes && $0.number <= device.seen }.map(\.number)
        #expect(told.sorted() == raised)
      }
    }
  }

  @Test(
    "every alert that a device is to be told of goes out in one wake, waits, or has a row that says why not",
    arguments: 1...UInt64(12))
  func sequences(seed: UInt64) async throws {
    var run = try await Run(seed: seed)
    for _ in 0..<80 {
      run.now += Int64.random(in: 0...20_000, using: &run.numbers)
      switch Int.random(in: 0..<10, using: &run.numbers) {
      case 0..<5: try await run.append()
      case 5: try await run.change()
      default: try await run.fanOut()
      }
    }
    try await run.checkRows()
    // When it is calm again, nobody waits for longer than a window.
    for _ in 0..<2 {
      run.now += run.model.window
      try await run.fanOut(isCalm: true)
    }
    try await run.checkRows()
    #expect(!run.model.isToBeNudged)
    #expect(run.crashes > 0 && run.model.devices.values.contains { $0.sent.count > 2 })
    await run.store.close()
  }
}
