import Testing

@testable import EndpointRegistry

@Suite("The state of a device")
struct DeviceStateTests {
  /// Facts of a device that is silent at time 0, but for what is named.
  private static func silence(
    lastOutcome: AttemptOutcome? = nil, hasReceipt: Bool = true, hasEverAnswered: Bool = true,
    unanswered: Int = 3, since: Int64 = -Retention.day - 1, hold: WakeHold = WakeHold()
  ) -> DeliveryFacts {
    DeliveryFacts(
      hasSubscription: true, lastOutcome: lastOutcome, hasReceipt: hasReceipt,
      hasEverAnswered: hasEverAnswered, unanswered: unanswered, unansweredSince: since,
      hold: hold)
  }

  @Test(
    "follows from what is known of the delivery",
    arguments: [
      (DeliveryFacts(hasSubscription: false), .noPush),
      (DeliveryFacts(hasSubscription: false, lastOutcome: .network, hasReceipt: true), .noPush),
      (DeliveryFacts(hasSubscription: false, isGone: true), .gone),
      (DeliveryFacts(hasSubscription: false, isGone: true, lastOutcome: .gone, hasReceipt: true), .gone),
      (DeliveryFacts(hasSubscription: true), .unconfirmed),
      (DeliveryFacts(hasSubscription: true, isGone: true), .unconfirmed),
      (DeliveryFacts(hasSubscription: true, lastOutcome: .accepted), .unconfirmed),
      (DeliveryFacts(hasSubscription: true, lastOutcome: .accepted, hasReceipt: true), .confirmed),
      (DeliveryFacts(hasSubscription: true, hasReceipt: true), .confirmed),
      (DeliveryFacts(hasSubscription: true, lastOutcome: .throttled, hasReceipt: true), .undelivered),
      (silence(), .silent),
      (silence(hasReceipt: false), .silent),
      (silence(lastOutcome: .accepted), .silent),
      (silence(lastOutcome: .throttled), .undelivered),
      (silence(lastOutcome: .throttled, hold: WakeHold(endpointUntil: 1)), .held),
      (silence(hold: WakeHold(originUntil: 1)), .held),
      (silence(hold: WakeHold(endpointUntil: 0, originUntil: -1)), .silent),
      (silence(unanswered: 0, hold: WakeHold(endpointUntil: Retention.day)), .held),
      // What a clock that was set since left behind.
      (silence(unanswered: 0, hold: WakeHold(endpointUntil: WakeHold.milliseconds + 1)), .confirmed),
      (DeliveryFacts(hasSubscription: false, hold: WakeHold(originUntil: 1)), .noPush),
      (silence(lastOutcome: .server), .undelivered),
      (silence(unanswered: 2), .confirmed),
      (silence(since: -Retention.day), .confirmed),
      (silence(since: 1_000), .confirmed),
      (silence(hasEverAnswered: false), .confirmed),
      (silence(hasReceipt: false, hasEverAnswered: false), .unconfirmed),
    ] as [(DeliveryFacts, DeviceState)])
  func state(facts: DeliveryFacts, state: DeviceState) {
    #expect(DeviceState(of: facts, at: 0) == state)
  }

  @Test("every outcome but success is undelivered, whatever receipts came before")
  func failures() {
    for outcome in AttemptOutcome.allCases
    where outcome.isAnswer && outcome != .accepted {
      for hasReceipt in [false, true] {
        let facts = DeliveryFacts(hasSubscription: true, lastOutcome: outcome, hasReceipt: hasReceipt)
        #expect(DeviceState(of: facts, at: 0) == .undelivered, "\(outcome)")
      }
    }
  }

  @Test("a wake that was left out, or that nobody knows of, says nothing")
  func notSent() {
    for outcome in AttemptOutcome.allCases where !outcome.isAnswer {
      #expect(
        DeviceState(of: DeliveryFacts(hasSubscription: true, lastOutcome: outcome), at: 0) == .unconfirmed,
        "\(outcome)")
    }
  }

  @Test("the names are the wire's")
  func names() {
    #expect(
      DeviceState.allCases.map(\.rawValue) == [
        "no-push", "unconfirmed", "confirmed", "silent", "undelivered", "held", "gone",
      ])
  }
}
