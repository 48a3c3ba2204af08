/// Counts what there is of each address.
struct AddressCount: Sendable {
  private var counts: [String: Int] = [:]

  /// One more; how many there are now.
  mutating func add(_ address: String?) -> Int {
    guard let address else { return 0 }
    counts[address, default: 0] += 1
    return counts[address, default: 0]
  }

  /// One fewer; an address without any is forgotten.
  mutating func remove(_ address: String?) {
    guard let address, let count = counts[address] else { return }
    counts[address] = count > 1 ? count - 1 : nil
  }
}
