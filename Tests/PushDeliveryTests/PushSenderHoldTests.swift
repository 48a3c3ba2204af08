import Synchronization
import TestSupport
import Testing

@testable import PushDelivery

@Suite("The sender: pauses")
struct PushSenderHoldTests {
  @Test("after a refusal nothing goes to that endpoint before the time, and others go on")
  func endpoint() async throws {
    let now = Mutex(PushHarness.now)
    let server = try RawServer { request in
      request.target == "/busy" ? .status(429, headers: [("Retry-After", "3")]) : .status(201)
    }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let configuration = PushHarness.configuration { $0.nowMilliseconds = { now.withLock { $0 } } }
    try await PushHarness.withSender(allow: origin, configuration: configuration) { sender, policy in
      let busy = try PushHarness.message(to: origin + "/busy", policy)
      let other = try PushHarness.message(to: origin + "/other", policy)
      let refused = await sender.send(busy)
      #expect(refused.outcome == .throttled)
      #expect(refused.hold == PushHold(until: PushHarness.now + 3_000, refusals: 0))
      for _ in 0..<10 {
        let held = await sender.send(busy)
        #expect(held == PushAnswer(outcome: .held, heldUntil: PushHarness.now + 3_000))
        #expect(await sender.send(other).outcome == .accepted)
      }
      #expect(server.requests.count { $0.target == "/busy" } == 1)
      now.withLock { $0 += 3_000 }
      #expect(await sender.send(busy).outcome == .throttled)
      #expect(server.requests.count { $0.target == "/busy" } == 2)
    }
  }

  @Test("a pause that is not named grows with the refusals before it, and is told with their number")
  func unnamed() async throws {
    let result = try await PushHarness.send(
      change: { $0.refusals = 2 }, configuration: PushHarness.configuration { $0.jitter = { 0.5 } }
    ) { _ in .status(429) }
    #expect(result.answer.hold == PushHold(until: PushHarness.now + 270_000, refusals: 3))
  }

  @Test("the third 429 within a minute stops what waits for its turn at that origin, and nothing at another")
  func origin() async throws {
    let busy = try RawServer { _ in .status(429, headers: [("Retry-After", "100")]) }
    defer { busy.stop() }
    let calm = try RawServer { _ in .status(201) }
    defer { calm.stop() }
    let (busyOrigin, calmOrigin) = ("http://127.0.0.1:\(busy.port)", "http://127.0.0.1:\(calm.port)")
    let configuration = PushHarness.configuration { $0.attemptsPerOriginMaximum = 2 }
    try await PushHarness.withSender(
      allow: "\(busyOrigin),\(calmOrigin)", configuration: configuration
    ) { sender, policy in
      let messages = try (0..<200).map { number in
        try PushHarness.message(to: (number % 2 == 0 ? busyOrigin : calmOrigin) + "/\(number)", policy)
      }
      let outcomes = await withTaskGroup(of: PushOutcome.self) { group in
        for message in messages { group.addTask { await sender.send(message).outcome } }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(outcomes[.accepted] == 100)
      // Those that were on their way when the third answer came are refused as well: two at a time.
      let refused = outcomes[.throttled] ?? 0
      #expect((3...4).contains(refused) && busy.requests.count == refused)
      #expect(outcomes[.held] == 100 - refused)
    }
  }
}
