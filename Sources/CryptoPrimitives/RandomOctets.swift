/// A source of random octets, as a value: the system's in production, a fixed one in a test.
package struct RandomOctets: Sendable {
  private let generate: @Sendable (Int) -> [UInt8]

  /// A source that calls `generate` with the number of octets it has to return.
  package init(_ generate: @escaping @Sendable (Int) -> [UInt8]) {
    self.generate = generate
  }

  /// `count` octets. A source that returns another number is our own fault and ends the process.
  package func callAsFunction(_ count: Int) -> [UInt8] {
    let octets = generate(count)
    precondition(octets.count == count, "a source of random octets returned the wrong number of them")
    return octets
  }
}
