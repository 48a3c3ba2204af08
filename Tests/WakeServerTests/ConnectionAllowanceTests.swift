import Testing

@testable import WakeServer

@Suite("Connections where the process may have few descriptors, or little memory")
struct ConnectionAllowanceTests {
  @Test(
    "half of the descriptors, or all but 512, are for connections and those that are told to come back",
    arguments: [
      (Int.max, 4_096), (524_288, 4_096), (4_096, 3_520), (1_024, 448), (256, 64), (64, 16), (0, 16),
    ])
  func share(descriptors: Int, connections: Int) {
    #expect(ConnectionAllowance.connections(wanted: 4_096, descriptors: descriptors) == connections)
  }

  @Test(
    "of a limit of memory, 72 MiB are the service's own, and a connection has 96 KiB of the rest",
    arguments: [(nil, 4_096), (128, 533), (256, 1_898), (1_024, 4_096), (73, 16), (16, 16)] as [(Int?, Int)])
  func memory(mebibytes: Int?, connections: Int) {
    let octets = mebibytes.map { $0 * 1_048_576 }
    #expect(
      ConnectionAllowance.connections(wanted: 4_096, descriptors: 65_536, memory: octets) == connections)
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
