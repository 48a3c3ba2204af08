import Testing
import WakeServer

@Suite("A key is held to its rate")
struct RateLimiterTests {
  /// A rate, the milliseconds after which one has come back, and what a refusal says before that: whole seconds.
  static let rates: [(rate: Rate, milliseconds: Int64, seconds: Int)] = [
    (.perSecond(5_000), 1, 1), (.perSecond(1), 1_000, 1), (.perMinute(60), 1_000, 1),
    (.perMinute(6), 10_000, 10), (.perMinute(1), 60_000, 60), (.perMinute(7), 8_572, 9),
    (FailedAuthentications.rate, 60_000, 60), (Rate(1_000_000, in: 60), 1, 1),
  ]

  @Test("so many at once, then as many as time brings back, and a refusal takes none", arguments: rates)
  func burst(rate: Rate, milliseconds: Int64, seconds: Int) {
    let limiter = RateLimiter<Int>(rate)
    for number in 0..<rate.count where limiter.take(0, at: 50) != nil {
      Issue.record("number \(number + 1) of \(rate.count) was refused")
    }
    for _ in 0..<100 { #expect(limiter.take(0, at: 50) == seconds) }
    #expect(limiter.take(0, at: 50 + milliseconds - 1) == 1)
    #expect(limiter.take(0, at: 50 + milliseconds) == nil)
  }

  @Test("what is given back can be taken once more")
  func givenBack() {
    let limiter = RateLimiter<Int>(.perMinute(2))
    for _ in 0..<5 {
      #expect(limiter.take(0, at: 0) == nil)
      limiter.giveBack(0)
    }
    for _ in 0..<2 { #expect(limiter.take(0, at: 0) == nil) }
    #expect(limiter.take(0, at: 0) == 30)
    limiter.giveBack(1)
    #expect(limiter.take(1, at: 0) == nil)
  }

  @Test("whoever waits for what a refusal says is let in, and not a moment earlier")
  func wait() {
    let limiter = RateLimiter<Int>(.perMinute(6))
    for at in [0, 1, 2, 3, 4, 5] as [Int64] { #expect(limiter.take(0, at: at) == nil) }
    // The first has come back at 10 s.
    #expect(limiter.take(0, at: 5) == 10)
    #expect(limiter.take(0, at: 9_000) == 1)
    #expect(limiter.take(0, at: 9_999) == 1)
    #expect(limiter.take(0, at: 10_000) == nil)
    #expect(limiter.take(0, at: 10_000) == 10)
  }

  @Test("over an hour nobody gets more than the rate and one burst")
  func hour() {
    let limiter = RateLimiter<Int>(.perMinute(60))
    let taken = (0..<360_000 as Range<Int64>).count { limiter.take(0, at: $0 * 10) == nil }
    #expect(taken == 60 + 3_599)
  }

  @Test("keys do not take from each other")
  func keys() {
    let limiter = RateLimiter<Int>(.perMinute(1))
    for key in 0..<1_000 { #expect(limiter.take(key, at: 0) == nil) }
    for key in 0..<1_000 { #expect(limiter.take(key, at: 0) == 60) }
  }

  @Test("what has recovered is forgotten, what has not is kept across generations")
  func generations() {
    let limiter = RateLimiter<Int>(.perMinute(2))
    for key in 0..<1_000 { #expect(limiter.take(key, at: 0) == nil) }
    #expect(limiter.remembered == 1_000)
    // Just before a generation ends, and just behind it.
    #expect(limiter.take(1_000, at: 59_999) == nil)
    #expect(limiter.take(1_000, at: 59_999) == nil)
    #expect(limiter.take(1_000, at: 60_000) == 30)
    #expect(limiter.take(1_000, at: 89_999) == nil)
    #expect(limiter.take(1_000, at: 89_999) == 30)
    #expect(limiter.take(1_001, at: 120_000) == nil)
    #expect(limiter.take(1_002, at: 180_000) == nil)
    #expect(limiter.remembered == 2)
  }

  @Test("a million keys at once are no more memory than two generations")
  func bounded() {
    let limiter = RateLimiter<Int>(FailedAuthentications.rate)
    var most = 0
    for key in 0..<1_000_000 {
      _ = limiter.take(key, at: 0)
      if key.isMultiple(of: 1_000) { most = max(most, limiter.remembered) }
    }
    #expect(most > RateLimiter<Int>.keysMaximum && most <= 2 * RateLimiter<Int>.keysMaximum)
    // Those that came last are held to their rate.
    for _ in 1..<FailedAuthentications.rate.count { #expect(limiter.take(999_999, at: 0) == nil) }
    #expect(limiter.take(999_999, at: 0) == 60)
  }

  @Test("a key that goes on asking stays held while others fill every place")
  func filled() {
    let limiter = RateLimiter<Int>(.perMinute(1))
    #expect(limiter.take(-1, at: 0) == nil)
    for key in 0..<RateLimiter<Int>.keysMaximum { _ = limiter.take(key, at: 0) }
    #expect(limiter.take(-1, at: 0) == 60)
  }
}
