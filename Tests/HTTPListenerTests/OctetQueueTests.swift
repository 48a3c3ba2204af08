import Testing

@testable import HTTPListener

@Suite("Octets that wait")
struct OctetQueueTests {
  private func take(_ count: Int, from queue: inout OctetQueue) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: count)
    return Array(buffer.withUnsafeMutableBytes { Array($0[..<queue.take(into: $0)]) })
  }

  @Test("octets leave in the order they came, however they are cut", arguments: [1, 2, 3, 7, 100])
  func order(portion: Int) {
    var queue = OctetQueue()
    var (sent, received): ([UInt8], [UInt8]) = ([], [])
    for number in 0..<50 {
      let octets = (0..<number % 5).map { UInt8(truncatingIfNeeded: number * 7 + $0) }
      queue.append(octets)
      sent += octets
      if number % 3 == 0 { received += take(portion, from: &queue) }
      #expect(queue.count == sent.count - received.count)
    }
    while queue.count > 0 { received += take(portion, from: &queue) }
    #expect(received == sent)
    #expect(take(portion, from: &queue).isEmpty)
  }
}
