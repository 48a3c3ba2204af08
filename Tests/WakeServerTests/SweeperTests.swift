import CryptoPrimitives
import EndpointRegistry
import Testing

@testable import WakeServer

@Suite("When the service sweeps")
struct SweeperTests {
  private static let start = TestClock().now
  private static let hour: Int64 = 3_600_000

  /// By how much the time of day is set, and whether it is still believed.
  static let clockChanges: [(Int64, Bool)] = [
    (0, true), (hour, true), (-hour, true), (hour + 1, false), (-hour - 1, false), (24 * hour, false),
    (-24 * hour, false), (87_600 * hour, false), (-87_600 * hour, false),
  ]

  @Test(
    "the time of day is believed while it and a steady clock have not gone apart by more than an hour",
    arguments: clockChanges)
  func agreement(jump: Int64, believed: Bool) {
    let agreement = ClockAgreement(wall: Self.start, steady: 77)
    for passed in [0, Self.hour, 1_000 * 24 * Self.hour] {
      #expect(agreement.holds(wall: Self.start + passed + jump, steady: 77 + passed) == believed)
    }
  }

  @Test("a jump of the clock by a day or ten years sweeps nothing, and when it is back the sweep goes on")
  func jumps() async throws {
    try await TestService.with(delivers: false) { service in
      let clocks = TestClock()
      let sweeper = Sweeper(
        store: service.store, retention: Retention(), clock: clocks.wall, steady: clocks.steady, log: .silent)
      _ = try await service.store.addPairing(
        stack: service.stack.id, at: Self.start, expiresAt: Self.start + 900_000)
      #expect(try await sweeper.round() == [:])
      for jump in [24 * Self.hour, 10 * 365 * 24 * Self.hour] {
        clocks.pass(Self.hour, jump: jump)
        #expect(try await sweeper.round() == [:])
        clocks.pass(Self.hour, jump: -jump)
        #expect(try await sweeper.round() == [:])
      }
      clocks.pass(48 * Self.hour)
      #expect(try await sweeper.round() == [.pairings: 1])
    }
  }

  @Test("a round goes through everything that has had its time, step by step")
  func rounds() async throws {
    try await TestService.with(delivers: false) { service in
      let clocks = TestClock()
      let sweeper = Sweeper(
        store: service.store, retention: Retention(), clock: clocks.wall, steady: clocks.steady, log: .silent)
      let rows = (0..<450).map { _ in
        NewAttempt(
          stack: service.stack.id, device: .minted(.system), alertFirst: nil, alertLast: nil, alertCount: 0,
          receipt: nil, pushServer: nil, purpose: .test, outcome: .unknown)
      }
      _ = try await service.store.beginAttempts(rows, at: Self.start)
      clocks.pass(30 * 24 * Self.hour)
      #expect(try await sweeper.round() == [:])
      clocks.pass(1)
      #expect(try await sweeper.round() == [.attempts: 450])
    }
  }
}
