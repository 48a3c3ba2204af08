import CryptoPrimitives
import Synchronization
import Testing

@testable import WakeServer

@Suite("Receipts for a page of wakes")
struct ReceiptStockTests {
  @Test(
    "each is fresh, and they are drawn together, but not before one is wanted",
    arguments: [(0, 5, 5), (1, 3, 3), (4, 4, 1), (4, 5, 2), (256, 600, 3)])
  func fresh(atOnce: Int, wanted: Int, draws: Int) {
    let drawn = Mutex<[Int]>([])
    let random = RandomOctets { count in
      drawn.withLock { $0.append(count) }
      return RandomOctets.system(count)
    }
    var stock = ReceiptStock(random, atOnce: atOnce)
    #expect(drawn.withLock { $0.isEmpty })
    let receipts = (0..<wanted).map { _ in stock.next() }
    #expect(Set(receipts).count == wanted)
    for receipt in receipts { #expect(Base64URL.decode(receipt)?.count == 16) }
    #expect(drawn.withLock(\.self) == Array(repeating: 16 * max(atOnce, 1), count: draws))
  }
}
