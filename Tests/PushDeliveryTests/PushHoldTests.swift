import Testing

@testable import PushDelivery

@Suite("Pauses that push servers ask for (RFC 8030 §8.4)")
struct PushHoldTests {
  private static let now: Int64 = 1_767_225_600_000
  private static let second: Int64 = 1_000
  private static let day: Int64 = 86_400_000
  private static let origin = "https://push.example"

  /// A refusal of the endpoint with this number.
  private static func refuse(
    _ holds: inout PushHolds, _ endpoint: UInt8, status: Int = 429, named: Int? = nil, before: Int = 0,
    origin: String = origin, at: Int64 = now
  ) -> PushHold {
    holds.throttled(
      [endpoint], at: origin, status: status, namedSeconds: named, refusalsBefore: before, jitter: 0, now: at)
  }

  @Test(
    "what is named counts, up to a day; what is not is a minute that doubles, up to a day",
    arguments: [
      (3, 0, 3), (3, 9, 3), (86_400, 0, 86_400), (99_999_999, 0, 86_400), (.max, 0, 86_400),
      // Nothing, and a time that is past: whoever refuses wants a pause.
      (0, 0, 60), (0, 1, 120),
      (nil, 0, 60), (nil, 1, 120), (nil, 2, 240), (nil, 10, 61_440), (nil, 11, 86_400), (nil, .max, 86_400),
      (nil, -1, 60),
    ] as [(Int?, Int, Int)])
  func pause(named: Int?, before: Int, seconds: Int) {
    let pause = PushHold.pause(namedSeconds: named, refusalsBefore: before, jitter: 0)
    #expect(pause == Int64(seconds) * Self.second)
  }

  @Test("what nobody named is up to a quarter longer, never shorter, and never over a day")
  func jitter() {
    #expect(PushHold.pause(namedSeconds: nil, refusalsBefore: 0, jitter: 0.999) == 74_985)
    #expect(PushHold.pause(namedSeconds: nil, refusalsBefore: 11, jitter: 0.999) == Self.day)
    #expect(PushHold.pause(namedSeconds: 3, refusalsBefore: 0, jitter: 0.999) == 3_000)
  }

  @Test("a refusal holds its endpoint until the end, and no other")
  func endpoint() {
    var holds = PushHolds()
    let hold = Self.refuse(&holds, 1, named: 3)
    #expect(hold == PushHold(until: Self.now + 3_000, refusals: 0))
    #expect(holds.end(of: [1], at: Self.origin, now: Self.now + 2_999) == hold.until)
    #expect(holds.end(of: [1], at: Self.origin, now: hold.until) == nil)
    #expect(holds.end(of: [2], at: Self.origin, now: Self.now) == nil)
  }

  @Test("refusals in a row are counted as far as they named no pause, and a longer pause stays")
  func refusals() {
    var holds = PushHolds()
    #expect(Self.refuse(&holds, 1, before: 1) == PushHold(until: Self.now + 120_000, refusals: 2))
    #expect(Self.refuse(&holds, 1, named: 5, before: 2).refusals == 2)
    #expect(holds.end(of: [1], at: Self.origin, now: Self.now) == Self.now + 120_000)
  }

  @Test("three 429 within a minute hold the whole origin for the longest of their pauses")
  func origin() {
    var holds = PushHolds()
    #expect(Self.refuse(&holds, 1, named: 500).originUntil == nil)
    #expect(Self.refuse(&holds, 2, named: 10, at: Self.now + 30_000).originUntil == nil)
    #expect(holds.end(of: [9], at: Self.origin, now: Self.now + 30_000) == nil)
    let third = Self.refuse(&holds, 3, named: 20, at: Self.now + 59_999)
    #expect(third.originUntil == Self.now + 500_000)
    #expect(holds.end(of: [9], at: Self.origin, now: Self.now + 60_000) == Self.now + 500_000)
    #expect(holds.end(of: [9], at: "https://other.example", now: Self.now + 60_000) == nil)
  }

  @Test("429 that are further apart, of other origins, or other statuses do not")
  func noOrigin() {
    var holds = PushHolds()
    for (number, at) in [0, 30_000, 60_000].enumerated() {
      #expect(Self.refuse(&holds, UInt8(number), at: Self.now + Int64(at)).originUntil == nil)
    }
    for number in 10..<20 {
      #expect(
        Self.refuse(&holds, UInt8(number), status: 503, named: 9, origin: "https://b").originUntil == nil)
      #expect(Self.refuse(&holds, UInt8(number), origin: "https://\(number)").originUntil == nil)
    }
  }

  @Test(
    "a pause that seems to end more than a day and an hour ahead was left by a clock that was set, and is void"
  )
  func clock() {
    var holds = PushHolds()
    let hold = Self.refuse(&holds, 1, named: 86_400)
    #expect(holds.end(of: [1], at: Self.origin, now: Self.now) == hold.until)
    #expect(holds.end(of: [1], at: Self.origin, now: Self.now - 3_600_000) == hold.until)
    #expect(holds.end(of: [1], at: Self.origin, now: Self.now - 3_600_001) == nil)
    // A refusal by the new clock holds by the new clock.
    let anew = Self.refuse(&holds, 1, named: 3, at: Self.now - Self.day)
    #expect(holds.end(of: [1], at: Self.origin, now: Self.now - Self.day) == anew.until)
  }

  @Test("no clock makes it trap", arguments: [Int64.min, -1, 0, Int64.max])
  func extremes(now: Int64) {
    var holds = PushHolds()
    for endpoint in 0..<4 { _ = Self.refuse(&holds, UInt8(endpoint), at: now) }
    for later in [Int64.min, 0, .max] { _ = holds.end(of: [0], at: Self.origin, now: later) }
    #expect(PushHold.isInEffect(until: .max, at: .min) == false)
  }

  @Test("however many refuse, what is remembered is bounded")
  func bounds() {
    var holds = PushHolds()
    for number in 0...PushHolds.entriesMaximum {
      let octets = withUnsafeBytes(of: number) { Array($0) }
      _ = holds.throttled(
        octets, at: "https://push.example", status: 503, namedSeconds: 9, refusalsBefore: 0, jitter: 0,
        now: Self.now)
    }
    let newest = withUnsafeBytes(of: PushHolds.entriesMaximum) { Array($0) }
    let oldest = withUnsafeBytes(of: 0) { Array($0) }
    #expect(holds.end(of: newest, at: Self.origin, now: Self.now) != nil)
    #expect(holds.end(of: oldest, at: Self.origin, now: Self.now) == nil)
  }
}
