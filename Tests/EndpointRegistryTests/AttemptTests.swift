import CryptoPrimitives
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Attempts")
struct AttemptTests {
  private static func woken() async throws -> (TemporaryStore, StackID, DeviceID) {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one")).device.id
    return (temporary, stack, device)
  }

  @Test("an attempt is unknown from before it goes out until it is completed, and keeps what came of it")
  func life() async throws {
    let (temporary, stack, device) = try await Self.woken()
    let store = temporary.store
    let alert = try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: 1).id
    let ids = try await store.beginAttempts(
      [
        NewAttempt(
          stack: stack, device: device, alertFirst: alert, alertLast: alert, alertCount: 1,
          receipt: "AAAAAAAAAAAAAAAAAAAAAA", pushServer: "https://push.example", purpose: .alert)
      ], at: 10)
    let id = try #require(ids.first)
    var expected = Attempt(
      id: id, at: 10, stack: stack, device: device, alertFirst: alert, alertLast: alert, alertCount: 1,
      outcome: .unknown, status: nil, reason: nil, pushServer: "https://push.example", milliseconds: nil,
      receiptAt: nil, purpose: .alert)
    #expect(try await store.attempts(AttemptFilter(), before: nil, limit: 10) == [expected])
    #expect(try await store.device(device)?.lastWakeAt == nil)

    let result = AttemptResult(
      id: id, outcome: .refused, status: 403, reason: "BadJwtToken", milliseconds: 12)
    try await store.completeAttempts([result], at: 20)
    expected = Attempt(
      id: id, at: 10, stack: stack, device: device, alertFirst: alert, alertLast: alert, alertCount: 1,
      outcome: .refused, status: 403, reason: "BadJwtToken", pushServer: "https://push.example",
      milliseconds: 12, receiptAt: nil, purpose: .alert)
    #expect(try await store.attempts(AttemptFilter(), before: nil, limit: 10) == [expected])
    #expect(try await store.device(device)?.state(at: 0) == .undelivered)
    #expect(try await store.device(device)?.lastWakeAt == 10)

    // An attempt ends once.
    try await store.completeAttempts(
      [
        AttemptResult(id: id, outcome: .accepted, milliseconds: 1),
        AttemptResult(id: 999, outcome: .gone, milliseconds: 1),
      ],
      at: 30)
    #expect(try await store.attempts(AttemptFilter(), before: nil, limit: 10) == [expected])
    #expect(try await store.device(device)?.state(at: 0) == .undelivered)
  }

  @Test("wakes that are left out are rows that are final at once, and say nothing of the device")
  func leftOut() async throws {
    let (temporary, stack, device) = try await Self.woken()
    let outcomes: [AttemptOutcome] = [.muted, .coalesced, .held, .stale]
    let ids = try await temporary.store.beginAttempts(
      outcomes.map { NewAttempt(stack: stack, device: device, alertCount: 3, purpose: .alert, outcome: $0) },
      at: 1)
    try await temporary.store.completeAttempts(
      ids.map { AttemptResult(id: $0, outcome: .network, milliseconds: 1) }, at: 2)
    let kept = try await temporary.store.attempts(AttemptFilter(), before: nil, limit: 10)
    #expect(kept.map(\.outcome) == outcomes.reversed())
    #expect(kept.map(\.id) == ids.reversed())
    #expect(try await temporary.store.device(device)?.state(at: 0) == .unconfirmed)
    #expect(try await temporary.store.device(device)?.lastWakeAt == nil)
  }

  @Test("the last attempt counts, in whatever order the answers come")
  func order() async throws {
    let (temporary, stack, device) = try await Self.woken()
    let store = temporary.store
    var ids: [AttemptID] = []
    for at in [10, 20] as [Int64] {
      ids += try await store.beginAttempts(
        [NewAttempt(stack: stack, device: device, purpose: .alert)], at: at)
    }
    try await store.completeAttempts([AttemptResult(id: ids[1], outcome: .accepted, milliseconds: 1)], at: 30)
    try await store.completeAttempts([AttemptResult(id: ids[0], outcome: .network, milliseconds: 9)], at: 40)
    let state = try #require(try await store.device(device))
    #expect(state.state(at: 0) == .unconfirmed && state.lastWakeAt == 20)
  }

  @Test("an answer to a wake from before the subscription changed says nothing of the new one")
  func changed() async throws {
    let (temporary, stack, device) = try await Self.woken()
    let store = temporary.store
    let ids = try await store.beginAttempts(
      [NewAttempt(stack: stack, device: device, purpose: .alert)], at: 1)
    _ = try await store.updateDevice(device, DeviceChange(subscription: .set(.at("two"))), at: 2)
    try await store.completeAttempts(
      ids.map { AttemptResult(id: $0, outcome: .gone, status: 410, milliseconds: 1) }, at: 3)
    #expect(try await store.device(device)?.state(at: 0) == .unconfirmed)
    let next = try await store.beginAttempts(
      [NewAttempt(stack: stack, device: device, purpose: .test)], at: 4)
    try await store.completeAttempts(
      next.map { AttemptResult(id: $0, outcome: .throttled, status: 429, milliseconds: 1) }, at: 5)
    #expect(try await store.device(device)?.state(at: 0) == .undelivered)
    _ = try await store.updateDevice(device, DeviceChange(subscription: .set(.at("three"))), at: 6)
    #expect(try await store.device(device)?.state(at: 0) == .unconfirmed)
  }

  @Test("a filter narrows by stack, device, outcome and time, and pages go back from the newest")
  func filter() async throws {
    let (temporary, stack, device) = try await Self.woken()
    let store = temporary.store
    let other = try await temporary.stack("other").stack.id
    let stranger = try await temporary.register(other, subscription: .at("x")).device.id
    var ids: [AttemptID] = []
    for at in 0..<6 as Range<Int64> {
      let isEven = at.isMultiple(of: 2)
      ids += try await store.beginAttempts(
        [
          NewAttempt(
            stack: isEven ? stack : other, device: isEven ? device : stranger, purpose: .test,
            outcome: at < 4 ? .muted : .stale)
        ], at: at)
    }
    func numbers(_ filter: AttemptFilter, before: AttemptID? = nil, limit: Int = 10) async throws -> [Int64] {
      try await store.attempts(filter, before: before, limit: limit).map(\.at)
    }
    #expect(try await numbers(AttemptFilter()) == [5, 4, 3, 2, 1, 0])
    #expect(try await numbers(AttemptFilter(stack: stack)) == [4, 2, 0])
    #expect(try await numbers(AttemptFilter(device: stranger)) == [5, 3, 1])
    #expect(try await numbers(AttemptFilter(outcome: .stale)) == [5, 4])
    #expect(try await numbers(AttemptFilter(since: 3)) == [5, 4, 3])
    #expect(
      try await numbers(AttemptFilter(stack: other, device: stranger, outcome: .muted, since: 2)) == [3])
    #expect(try await numbers(AttemptFilter(stack: .minted(.system))) == [])
    #expect(try await numbers(AttemptFilter(), limit: 2) == [5, 4])
    #expect(try await numbers(AttemptFilter(), before: ids[4], limit: 2) == [3, 2])
  }

  @Test("attempts outlive their device, and none is made for a stack that is not there")
  func outliving() async throws {
    let (temporary, stack, device) = try await Self.woken()
    let store = temporary.store
    let ids = try await store.beginAttempts([NewAttempt(stack: stack, device: device, purpose: .test)], at: 1)
    try await store.removeDevice(device, at: 2)
    try await store.completeAttempts(
      ids.map { AttemptResult(id: $0, outcome: .accepted, milliseconds: 1) }, at: 3)
    #expect(
      try await store.attempts(AttemptFilter(device: device), before: nil, limit: 1).map(\.outcome) == [
        .accepted
      ])
    let lost = [
      NewAttempt(stack: stack, device: device, purpose: .test),
      NewAttempt(stack: .minted(.system), device: device, purpose: .test),
    ]
    await #expect(throws: RegistryError.notFound) { try await store.beginAttempts(lost, at: 4) }
    #expect(try temporary.count("attempts") == 1)
    #expect(try await store.beginAttempts([], at: 5) == [])
  }
}
