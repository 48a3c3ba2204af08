import CryptoPrimitives
import EndpointRegistry
import Testing

@testable import WakeServer

@Suite("Wakes under way")
struct WakesUnderWayTests {
  private static let stack = StackID("stack-of-tests")
  private static let origin = "https://push.example"

  /// Takes places until there is none; how many there were.
  private static func fill(_ wakes: WakesUnderWay, now: Int64 = 0, origin: String = origin) -> Int {
    for number in 0... where !wakes.takePlace(at: origin, for: stack, now: now) { return number }
    return -1
  }

  private static func end(
    _ wakes: WakesUnderWay, _ count: Int, answered: Bool?, now: Int64 = 0, origin: String = origin
  ) -> [Int] {
    (0..<count).filter { _ in !wakes.giveBack(at: origin, answered: answered, now: now).isEmpty }
  }

  @Test("nobody knows a new push server: it gets a few, and more once it answers")
  func unknown() {
    let wakes = WakesUnderWay()
    #expect(Self.fill(wakes) == WakesUnderWay.unknownMaximum)
    // One answer, and there are places for what waits.
    #expect(!wakes.giveBack(at: Self.origin, answered: true, now: 0).isEmpty)
    #expect(Self.fill(wakes) == WakesUnderWay.slowMaximum - WakesUnderWay.unknownMaximum + 1)
  }

  @Test("one that is fast gets half of all there is, until it is not fast any more")
  func fast() {
    let wakes = WakesUnderWay()
    _ = Self.fill(wakes)
    _ = Self.end(wakes, WakesUnderWay.fastEnds, answered: true)
    #expect(
      Self.fill(wakes) == WakesUnderWay.fastMaximum - WakesUnderWay.unknownMaximum + WakesUnderWay.fastEnds)
    let later = 2 * WakesUnderWay.paceMilliseconds
    _ = Self.end(wakes, WakesUnderWay.fastMaximum - 10, answered: nil, now: later)
    #expect(Self.fill(wakes, now: later) == WakesUnderWay.slowMaximum - 10)
  }

  @Test("one that is silent gets next to none, and the stacks that wait are told when half of that is over")
  func silent() {
    let wakes = WakesUnderWay()
    _ = Self.fill(wakes)
    // One attempt in ten seconds, as it is where nobody answers.
    let told = (1...WakesUnderWay.unknownMaximum).filter { number in
      !wakes.giveBack(at: Self.origin, answered: false, now: Int64(number) * 10_000).isEmpty
    }
    #expect(told == [WakesUnderWay.unknownMaximum - WakesUnderWay.silentMaximum / 2])
    let now: Int64 = 999_999
    #expect(Self.fill(wakes, now: now) == WakesUnderWay.silentMaximum)
    #expect(Self.fill(wakes, now: now, origin: "https://other.example") == WakesUnderWay.unknownMaximum)
    _ = wakes.giveBack(at: Self.origin, answered: true, now: now)
    #expect(
      Self.fill(wakes, now: now) == WakesUnderWay.slowMaximum - WakesUnderWay.silentMaximum + 1)
  }

  @Test("one that refuses every connection at once keeps nobody waiting, and nothing waits for it")
  func refusing() {
    let wakes = WakesUnderWay()
    _ = Self.fill(wakes)
    _ = Self.end(wakes, WakesUnderWay.fastEnds, answered: false)
    #expect(Self.fill(wakes) > WakesUnderWay.slowMaximum)
  }

  @Test("an operator's wake always finds a place")
  func urgent() {
    let wakes = WakesUnderWay()
    let places = Self.fill(wakes)
    #expect(wakes.takePlace(at: Self.origin, for: nil, urgent: true, now: 0))
    _ = Self.end(wakes, places + 1, answered: nil)
    #expect(Self.fill(wakes) == places)
  }

  @Test("a device has one wake at a time, and its stack is told of the end")
  func devices() throws {
    let (wakes, stack) = (WakesUnderWay(), try #require(Self.stack))
    let device = DeviceID.minted(.system)
    #expect(!wakes.holds(device, of: stack))
    wakes.begin(device)
    #expect(wakes.end(device) == nil)
    wakes.begin(device)
    #expect(wakes.holds(device, of: stack))
    #expect(wakes.end(device) == stack && wakes.end(device) == nil)
  }
}
