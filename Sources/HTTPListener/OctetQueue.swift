/// Octets that wait, as the arrays that they came in: many queues may share one array, and nothing is copied before it
/// leaves.
struct OctetQueue: Sendable {
  private var arrays: [[UInt8]] = []
  /// How many of `arrays` have left.
  private var passed = 0
  /// How many octets of the first one that has not.
  private var offset = 0
  /// The octets that wait.
  private(set) var count = 0

  /// Puts octets behind all others.
  mutating func append(_ octets: [UInt8]) {
    guard !octets.isEmpty else { return }
    arrays.append(octets)
    count += octets.count
  }

  /// Moves as many octets into `buffer` as there are and fit; returns how many.
  mutating func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count, passed < arrays.count {
      let part = min(buffer.count - filled, arrays[passed].count - offset)
      unsafe arrays[passed].withUnsafeBytes { octets in
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + part])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[offset..<offset + part]))
      }
      (filled, offset) = (filled + part, offset + part)
      if offset == arrays[passed].count {
        arrays[passed] = []
        (passed, offset) = (passed + 1, 0)
      }
    }
    count -= filled
    compact()
    return filled
  }

  /// Gives back the room of what has left, each time that it is more than what waits, so that it costs little.
  private mutating func compact() {
    guard passed * 2 >= arrays.count else { return }
    if passed == arrays.count { arrays = [] } else { arrays.removeFirst(passed) }
    passed = 0
  }
}
