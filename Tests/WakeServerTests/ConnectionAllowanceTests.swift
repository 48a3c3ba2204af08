import Testing

@testable import WakeServer

@Suite("Connections where the process may have few descriptors")
struct ConnectionAllowanceTests {
  @Test(
    "half of the descriptors, or all but 512, are for connections and those that are told to come back",
    arguments: [
      (Int.max, 4_096), (524_288, 4_096), (4_096, 3_520), (1_024, 448), (256, 64), (64, 16), (0, 16),
    ])
  func share(descriptors: Int, connections: Int) {
    #expect(ConnectionAllowance.connections(wanted: 4_096, descriptors: descriptors) == connections)
  }

  @Test("with fewer than 128 the service does not start, and says what to raise")
  func tooFew() throws {
    try ConnectionAllowance.check(descriptors: 128)
    let refused = #expect(throws: ServiceError.self) { try ConnectionAllowance.check(descriptors: 127) }
    #expect(refused.map { "\($0)".contains("LimitNOFILE") } == true)
  }

  @Test("nobody gets more than the listener wants")
  func few() {
    #expect(ConnectionAllowance.connections(wanted: 8, descriptors: 524_288) == 8)
  }
}
