/// The names that were met last, so many at most.
struct RecentNames: Sendable {
  private let most: Int
  private var names: Set<String> = []
  private var order: [String] = []

  init(most: Int) { self.most = most }

  func contains(_ name: String) -> Bool { names.contains(name) }

  mutating func insert(_ name: String) {
    guard names.insert(name).inserted else { return }
    order.append(name)
    // In blocks: taking the first element off an array moves all others.
    guard order.count >= 2 * most else { return }
    names.subtract(order.prefix(most))
    order.removeFirst(most)
  }
}
