import KindCatalogue
import Testing

@testable import WakeServer

@Suite("When a stack's devices are looked at")
struct StackScheduleTests {
  private static let window: Int64 = 30_000

  /// A schedule after the first alert's wake went out at time 0.
  private func afterTheFirstWake() -> StackSchedule {
    var schedule = StackSchedule()
    #expect(schedule.alert(.problem, at: 0) == .look)
    #expect(schedule.ended(.init(sent: 1, kinds: [.problem]), window: Self.window, at: 0) == .nothing)
    return schedule
  }

  @Test("the first alert is looked at at once, and so is the second, which then waits for the window's end")
  func storm() {
    var schedule = afterTheFirstWake()
    #expect(schedule.alert(.problem, at: 10) == .look)
    let waiting = StackSchedule.Look(sent: 0, kinds: [.problem], nextWindowEnds: Self.window)
    #expect(schedule.ended(waiting, window: Self.window, at: 20) == .comeBack(at: 30_500))
    for time in stride(from: Int64(30), to: 30_000, by: 30) {
      #expect(schedule.alert(.problem, at: time) == .nothing)
    }
    #expect(schedule.cameBack(at: 30_500) == .look)
    #expect(schedule.ended(.init(sent: 1), window: Self.window, at: 30_510) == .nothing)
    #expect(schedule.alert(.problem, at: 30_520) == .look)
  }

  @Test("an alert of another kind in a window is looked at: somebody may mute the kind before it")
  func otherKind() {
    var schedule = afterTheFirstWake()
    _ = schedule.alert(.problem, at: 10)
    _ = schedule.ended(.init(kinds: [.problem], nextWindowEnds: Self.window), window: Self.window, at: 20)
    #expect(schedule.alert(.backup, at: 30) == .look)
    // Whoever was asked to come back is on the way already.
    let both = StackSchedule.Look(kinds: [.backup], nextWindowEnds: Self.window)
    #expect(schedule.ended(both, window: Self.window, at: 40) == .nothing)
    #expect(schedule.alert(.backup, at: 50) == .nothing)
    #expect(schedule.alert(.problem, at: 50) == .nothing)
    #expect(schedule.cameBack(at: 30_500) == .look)
  }

  @Test("what comes during a look is looked at after it, unless it is known to find nobody")
  func meanwhile() {
    var schedule = StackSchedule()
    #expect(schedule.alert(.problem, at: 0) == .look)
    #expect(schedule.alert(.problem, at: 1) == .nothing)
    #expect(schedule.ended(.init(sent: 1, kinds: [.problem]), window: Self.window, at: 2) == .look)
    #expect(schedule.alert(.problem, at: 3) == .nothing)
    let waiting = StackSchedule.Look(kinds: [.problem], nextWindowEnds: Self.window)
    #expect(schedule.ended(waiting, window: Self.window, at: 4) == .comeBack(at: 30_500))
  }

  @Test("a device that comes makes the next alert worth a look")
  func newDevice() {
    var schedule = afterTheFirstWake()
    _ = schedule.alert(.problem, at: 10)
    _ = schedule.ended(.init(kinds: [.problem], nextWindowEnds: Self.window), window: Self.window, at: 20)
    #expect(schedule.alert(.problem, at: 30) == .nothing)
    #expect(schedule.loosened() == .nothing)
    #expect(schedule.alert(.problem, at: 40) == .look)
  }

  @Test("a device that comes during a look makes the next alert worth one too")
  func newDeviceMeanwhile() {
    var schedule = afterTheFirstWake()
    _ = schedule.alert(.problem, at: 10)
    #expect(schedule.loosened() == .nothing)
    _ = schedule.ended(.init(kinds: [.problem], nextWindowEnds: Self.window), window: Self.window, at: 20)
    #expect(schedule.alert(.problem, at: 30) == .look)
  }

  @Test("where everybody mutes a kind, its alerts are looked at once in a window")
  func allMute() {
    var schedule = StackSchedule()
    #expect(schedule.alert(.update, at: 0) == .look)
    #expect(schedule.ended(.init(kinds: [.update]), window: Self.window, at: 5) == .nothing)
    #expect(schedule.alert(.update, at: 10) == .comeBack(at: 30_005))
    #expect(schedule.alert(.update, at: 20) == .nothing)
    #expect(schedule.cameBack(at: 30_005) == .look)
  }

  @Test("a look that failed is made once more, and an alert does not wait for that")
  func failure() {
    var schedule = StackSchedule()
    #expect(schedule.alert(.problem, at: 0) == .look)
    #expect(schedule.ended(.init(failed: true), window: 0, at: 100) == .comeBack(at: 2_100))
    #expect(schedule.alert(.problem, at: 200) == .look)
    #expect(schedule.ended(.init(sent: 1), window: Self.window, at: 300) == .nothing)
    #expect(schedule.cameBack(at: 2_100) == .nothing)
  }

  @Test("a device whose wake has ended is looked at at once, during a look right after it")
  func wakeEnded() {
    var schedule = afterTheFirstWake()
    #expect(schedule.changed() == .look)
    #expect(schedule.changed() == .nothing)
    #expect(schedule.ended(.init(), window: Self.window, at: 10) == .look)
    #expect(schedule.ended(.init(), window: Self.window, at: 20) == .nothing)
  }

  @Test("one time is waited for, however often another look is planned")
  func oneTimer() {
    var schedule = afterTheFirstWake()
    var timers = 0
    for time in Int64(1)...100 {
      _ = schedule.changed()
      let look = StackSchedule.Look(nextWindowEnds: Self.window)
      if case .comeBack = schedule.ended(look, window: Self.window, at: time) { timers += 1 }
    }
    #expect(timers == 1)
    #expect(!schedule.isForgettable(at: 100))
    #expect(schedule.cameBack(at: 30_500) == .look)
    #expect(schedule.ended(.init(sent: 1), window: Self.window, at: 30_501) == .nothing)
    #expect(schedule.isForgettable(at: 90_000))
  }

  @Test("a device that is put off is looked at when its pause ends, though a look was running when it was")
  func putOff() {
    var schedule = StackSchedule()
    #expect(schedule.waits(until: 60_000) == .comeBack(at: 60_000))
    #expect(schedule.waits(until: 90_000) == .nothing)
    #expect(schedule.waits(until: 50_000) == .comeBack(at: 50_000))
    #expect(schedule.cameBack(at: 50_000) == .look)
    #expect(schedule.waits(until: 70_000) == .nothing)
    #expect(
      schedule.ended(.init(sent: 1), window: Self.window, at: 50_001)
        == .comeBack(at: 70_000 + Self.window / StackSchedule.togetherDivisor))
  }
}
