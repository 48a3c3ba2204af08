import CryptoPrimitives
import Testing

@testable import StandIns

@Suite("The pauses between a companion's attempts")
struct CompanionBackoffTests {
  private static let least = RandomOctets { [UInt8](repeating: 0, count: $0) }
  private static let most = RandomOctets { [UInt8](repeating: 0xff, count: $0) }

  @Test("they double from a second, and stay at 30 s at most, whatever chance says")
  func grow() {
    var (low, high) = (CompanionBackoff(), CompanionBackoff())
    #expect(
      (0..<7).map { _ in low.next(random: Self.least) } == [
        1_000, 2_000, 4_000, 8_000, 16_000, 24_000, 24_000,
      ])
    let longest = (0..<100).map { _ in high.next(random: Self.most) }
    #expect(longest.prefix(3) == [1_249, 2_499, 4_999] && longest.max() == 29_999)
  }

  @Test("they begin anew after a success")
  func reset() {
    var backoff = CompanionBackoff()
    for _ in 0..<5 { _ = backoff.next(random: Self.least) }
    backoff.reset()
    #expect(backoff.next(random: Self.least) == 1_000)
  }

  @Test(
    "a server's wish is the first pause, and never gone below",
    arguments: [(10, [10, 20, 40]), (60_000, [60_000, 60_000, 60_000]), (Int.max, [3_600_000]), (0, [1])])
  func requested(wish: Int, pauses: [Int]) {
    var backoff = CompanionBackoff()
    #expect(pauses.map { _ in backoff.next(requested: wish, random: Self.least) } == pauses)
  }
}
