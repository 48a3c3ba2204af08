import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Sweeping")
struct SweepTests {
  private static let now = TemporaryStore.now
  private static let day = Retention.day

  /// Steps until one comes round to the end, and what they removed.
  private static func sweep(
    _ store: SQLiteStore, _ retention: Retention = Retention(), at: Int64 = now
  ) async throws -> [SweepStep.Subject: Int] {
    var removed: [SweepStep.Subject: Int] = [:]
    var position = SweepPosition()
    while true {
      let step = try await store.sweep(retention, from: position, at: at)
      removed.merge(step.removed) { $0 + $1 }
      guard let next = step.next else { return removed }
      #expect(next != position || !step.removed.isEmpty, "a step that goes nowhere")
      position = next
    }
  }

  private static func attempts(
    _ count: Int, _ stack: StackID, at: Int64, in store: SQLiteStore
  ) async throws -> [AttemptID] {
    let device = DeviceID.minted(.system)
    let rows = (0..<count).map { _ in
      NewAttempt(
        stack: stack, device: device, alertFirst: nil, alertLast: nil, alertCount: 0, receipt: nil,
        pushServer: nil, purpose: .test, outcome: .unknown)
    }
    return try await store.beginAttempts(rows, at: at)
  }

  @Test("attempts are kept for 30 days, also where the clock had jumped when they were made")
  func oldAttempts() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    var kept: [AttemptID] = []
    var old = 0
    // Ages in days, in the order in which the rows were made.
    for age: Int64 in [31, 3, 4_000, 29, -400, 31] {
      let ids = try await Self.attempts(150, stack, at: Self.now - age * Self.day, in: temporary.store)
      if age > 30 { old += ids.count } else { kept += ids }
    }
    #expect(try await Self.sweep(temporary.store) == [.attempts: old])
    let left = try await temporary.store.attempts(AttemptFilter(), before: nil, limit: 10_000).map(\.id)
    #expect(left.reversed() == kept)
    #expect(try await Self.sweep(temporary.store) == [:])
  }

  @Test("of one stack's attempts the newest are kept, as many as may be; another stack's are not counted")
  func surplusAttempts() async throws {
    let temporary = try TemporaryStore()
    let busy = try await temporary.stack("busy").stack.id
    let quiet = try await temporary.stack("quiet").stack.id
    let first = try await Self.attempts(10, quiet, at: Self.now, in: temporary.store)
    let many = try await Self.attempts(900, busy, at: Self.now, in: temporary.store)
    var retention = Retention()
    retention.attemptsPerStack = 100
    #expect(try await Self.sweep(temporary.store, retention) == [.attempts: 800])
    let left = try await temporary.store.attempts(AttemptFilter(), before: nil, limit: 10_000).map(\.id)
    #expect(left.reversed() == first + many.suffix(100))
  }

  @Test("a step removes a few rows, whatever waits: nobody's request waits for a sweep")
  func small() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    _ = try await Self.attempts(3_000, stack, at: 0, in: temporary.store)
    let step = try await temporary.store.sweep(Retention(), from: SweepPosition(), at: Self.now)
    #expect((1...1_000).contains(step.removed[.attempts] ?? 0))
    #expect(step.next != nil)
  }

  /// Raises alerts of these ages, oldest number first.
  private static func raise(_ ages: [Int64], _ stack: StackID, in store: SQLiteStore) async throws {
    for age in ages {
      _ = try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: now - age)
    }
  }

  @Test("alerts are kept for a week, the newest 200 for ever; another stack's are not counted")
  func oldAlerts() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let quiet = try await temporary.stack("quiet").stack.id
    let week = 7 * Self.day
    try await Self.raise([900 * Self.day], quiet, in: store)
    try await Self.raise(.init(repeating: week + 1, count: 450), stack, in: store)
    try await Self.raise(.init(repeating: week, count: 150), stack, in: store)
    #expect(try await Self.sweep(store) == [.alerts: 400])
    func kept(_ stack: StackID) async throws -> [Int64] {
      try await store.alerts(of: stack, after: nil, limit: 1_000).alerts.map(\.id.number)
    }
    #expect(try await kept(stack) == Array(401...600))
    #expect(try await kept(quiet) == [1])
    #expect(try await Self.sweep(store, at: Self.now + 10_000 * Self.day) == [:])
    // One more makes the oldest one too many, and nothing but age and number evicts it.
    try await Self.raise([0], stack, in: store)
    #expect(try await Self.sweep(store) == [.alerts: 1])
    #expect(try await kept(stack) == Array(402...601))
  }

  @Test("a clock that had jumped makes no hole: what is kept is one run of numbers")
  func jumpedClock() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    // The second one comes from the future; those after it look old.
    try await Self.raise([8 * Self.day, -900 * Self.day, 8 * Self.day, 5_000 * Self.day], stack, in: store)
    try await Self.raise(.init(repeating: 0, count: 200), stack, in: store)
    #expect(try await Self.sweep(store) == [.alerts: 1])
    let kept = try await store.alerts(of: stack, after: nil, limit: 1_000).alerts.map(\.id.number)
    #expect(kept == Array(2...204))
    #expect(try await Self.sweep(store, at: Self.now + 908 * Self.day) == [.alerts: 3])
  }

  @Test("a step removes a few alerts, whatever waits")
  func fewAlerts() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    try await Self.raise(.init(repeating: 8 * Self.day, count: 500), stack, in: temporary.store)
    let step = try await temporary.store.sweep(Retention(), from: SweepPosition(), at: Self.now)
    #expect(step.removed == [.alerts: 200] && step.next != nil)
    #expect(try await Self.sweep(temporary.store) == [.alerts: 100])
  }

  @Test("codes are remembered for a day after they expired")
  func pairings() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let code = try await temporary.store.addPairing(stack: stack, at: 0, expiresAt: 1_000)
    #expect(try await Self.sweep(temporary.store, at: 1_000 + Self.day) == [:])
    #expect(try await temporary.store.credential(for: code, at: 2_000) == .pairing(stack, .expired))
    #expect(try await Self.sweep(temporary.store, at: 1_001 + Self.day) == [.pairings: 1])
    #expect(try await temporary.store.credential(for: code, at: 0) == nil)
  }

  @Test(
    "devices that have been gone for 90 days are removed; those that work, and those that came back, never")
  func goneDevices() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let gone = try await temporary.register(stack, subscription: .at("gone"))
    let back = try await temporary.register(stack, subscription: .at("back"))
    let works = try await temporary.register(stack, subscription: .at("works"))
    let without = try await temporary.register(stack)
    for device in [gone, back] {
      let target = try await temporary.target(stack, device: device.device.id)
      try await store.erase(target, at: Self.now)
    }
    _ = try await store.updateDevice(
      back.device.id, DeviceChange(subscription: .set(.at("again"))), at: Self.now)

    let decades = Self.now + 10_000 * Self.day
    #expect(try await Self.sweep(store, at: Self.now + 90 * Self.day) == [.pairings: 4])
    #expect(try await Self.sweep(store, at: Self.now + 90 * Self.day + 1) == [.devices: 1])
    #expect(try await store.credential(for: gone.token, at: 0) == .revoked(gone.device.id, stack))
    #expect(try await Self.sweep(store, at: decades) == [.revokedTokens: 1])
    #expect(
      try await store.devices(stack: stack, after: nil, limit: 10).map(\.id)
        == [back, works, without].map(\.device.id).sorted())
  }

  @Test("a revoked token says so for a year, and is then not known any more")
  func revokedTokens() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let result = try await temporary.register(stack)
    try await temporary.store.removeDevice(result.device.id, at: Self.now)
    _ = try await Self.sweep(temporary.store, at: Self.now + 365 * Self.day)
    let credential = try await temporary.store.credential(for: result.token, at: 0)
    #expect(credential == .revoked(result.device.id, stack))
    _ = try await Self.sweep(temporary.store, at: Self.now + 365 * Self.day + 1)
    #expect(try await temporary.store.credential(for: result.token, at: 0) == nil)
  }

  @Test("a replaced VAPID key goes when nobody hangs on it, and no code that named it can be open any more")
  func vapidKeys() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("a")).device.id
    _ = try await store.replaceVAPIDKey(of: stack, at: Self.now)
    let years = Self.now + 1_000 * Self.day
    _ = try await Self.sweep(store, at: years)
    #expect(try await store.vapidKeys(of: stack).map(\.devices) == [0, 1])
    _ = try await store.updateDevice(
      device, DeviceChange(subscription: .remove), at: Self.now)
    #expect(try await Self.sweep(store, at: Self.now + Self.day) == [:])
    #expect(try await Self.sweep(store, at: Self.now + Self.day + 1) == [.vapidKeys: 1])
    #expect(try await store.vapidKeys(of: stack).map(\.isCurrent) == [true])
    #expect(try await Self.sweep(store, at: years) == [:])
  }
}
