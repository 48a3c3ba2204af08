import Testing

@testable import WakeServer

@Suite("How old an alert seems after the clock was set")
struct ClockStepsTests {
  private static let hour: Int64 = 3_600_000
  private static let start: Int64 = 1_767_225_600_000

  @Test("a step forward is allowed for as long as what came before it matters, and no longer")
  func forward() {
    var steps = ClockSteps(wall: Self.start, steady: 5)
    func look(_ passed: Int64, _ step: Int64) -> Int64 {
      steps.allowance(wall: Self.start + passed + step, steady: 5 + passed, fresh: Self.hour)
    }
    #expect(look(1_000, 0) == 0)
    #expect(look(2_000, 24 * Self.hour) == 24 * Self.hour)
    #expect(look(Self.hour, 24 * Self.hour) == 24 * Self.hour)
    #expect(look(Self.hour + 2_000, 24 * Self.hour) == 0)
  }

  @Test("a step that is taken back leaves nothing, and steps add up")
  func back() {
    var steps = ClockSteps(wall: Self.start, steady: 0)
    func look(_ step: Int64) -> Int64 {
      steps.allowance(wall: Self.start + step, steady: 0, fresh: Self.hour)
    }
    #expect(look(Self.hour) == Self.hour)
    #expect(look(3 * Self.hour) == 3 * Self.hour)
    #expect(look(0) == 0)
    #expect(look(-87_660 * Self.hour) == 0)
    #expect(look(0) == 87_660 * Self.hour)
  }

  @Test("a clock that is put right by seconds, or runs fast for months, is none that was set")
  func corrections() {
    var steps = ClockSteps(wall: Self.start, steady: 0)
    for day in 1...400 as ClosedRange<Int64> {
      let passed = day * 24 * Self.hour
      let found = steps.allowance(wall: Self.start + passed + day * 9_000, steady: passed, fresh: Self.hour)
      #expect(found == 0)
    }
  }

  @Test("no clock makes it trap", arguments: [Int64.min, -1, 0, Int64.max])
  func extremes(wall: Int64) {
    var steps = ClockSteps(wall: 0, steady: 0)
    let found = steps.allowance(wall: wall, steady: 1, fresh: 24 * Self.hour)
    #expect(found >= 0)
  }
}
