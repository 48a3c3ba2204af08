/// How many things of each sort are under way, and whether one more may be.
struct UnderWay<Sort: Hashable & Sendable>: Sendable {
  /// Things of one sort at a time.
  private let each: Int
  private var counts: [Sort: Int] = [:]

  init(each: Int) { self.each = each }

  /// Begins one; false where there are enough already, unless this one is begun in any case.
  mutating func begin(_ sort: Sort, inAnyCase: Bool = false) -> Bool {
    let count = counts[sort, default: 0]
    guard count < each || inAnyCase else { return false }
    counts[sort] = count + 1
    return true
  }

  /// Ends one that was begun.
  mutating func end(_ sort: Sort) {
    guard let count = counts[sort] else { return }
    counts[sort] = count > 1 ? count - 1 : nil
  }
}
