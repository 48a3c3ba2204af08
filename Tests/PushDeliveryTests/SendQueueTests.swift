import TestSupport
import Testing

@testable import PushDelivery

@Suite("Whose turn it is to send")
struct SendQueueTests {
  private func queue(
    running: Int = 100, perOrigin: Int = 4, perSilentOrigin: Int = 2, waiting: Int = 1_000
  ) -> SendQueue<String> {
    SendQueue(
      limits: .init(
        running: running, perOrigin: perOrigin, perSilentOrigin: perSilentOrigin, waiting: waiting))
  }

  @Test("origins take turns, and each keeps its order")
  func turns() {
    var queue = queue(perSilentOrigin: 4)
    for place in 1...4 { queue.add("a\(place)", "a") }
    queue.add("b1", "b")
    queue.add("c1", "c")
    queue.add("b2", "b")
    var order: [String] = []
    while let item = queue.next() { order.append(item) }
    #expect(order == ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
    #expect(queue.running == 7)
    #expect(queue.waiting == 0)
  }

  @Test("an origin has few places until it answers, then more, and loses them when it falls silent")
  func places() {
    var queue = queue()
    func take() -> Int {
      var count = 0
      while queue.next() != nil { count += 1 }
      return count
    }
    for place in 0..<20 { queue.add("\(place)", "a") }
    #expect(take() == 2)
    queue.finished(origin: "a", answered: true)
    #expect(take() == 3)  // 1 was left, 4 may run
    queue.finished(origin: "a", answered: false)
    queue.finished(origin: "a", answered: false)
    #expect(take() == 0)
    queue.finished(origin: "a", answered: false)
    #expect(take() == 1)
  }

  @Test("an origin that answered is remembered while nothing of it waits")
  func memory() {
    var queue = queue()
    for answered in [true, false] {
      queue.add("x", "a")
      #expect(queue.next() == "x")
      queue.finished(origin: "a", answered: answered)
      #expect(queue.isEmpty == true)
      for place in 0..<9 { queue.add("\(place)", "a") }
      var taken = 0
      while queue.next() != nil { taken += 1 }
      #expect(taken == (answered ? 4 : 2))
      for _ in 0..<taken { queue.finished(origin: "a", answered: answered) }
      while queue.next() != nil { queue.finished(origin: "a", answered: answered) }
      #expect(queue.isEmpty == true)
    }
  }

  @Test("no more run than may, in all")
  func total() {
    var queue = queue(running: 3)
    for origin in ["a", "b", "c", "d", "e"] { queue.add(origin, origin) }
    let first = [queue.next(), queue.next(), queue.next(), queue.next()]
    #expect(first == ["a", "b", "c", nil])
    queue.finished(origin: "b", answered: true)
    let second = [queue.next(), queue.next()]
    #expect(second == ["d", nil])
  }

  @Test("no more wait than may")
  func waiting() {
    var queue = queue(waiting: 2)
    queue.add("1", "a")
    queue.add("2", "b")
    queue.add("3", "c", accepted: false)
    #expect(queue.next() == "1")
    queue.add("3", "c")
  }

  @Test("what waits can be taken out at once, and the queue goes on")
  func removal() {
    var queue = queue()
    for origin in ["a", "b", "c"] {
      for place in 0..<5 { queue.add("\(origin)\(place)", origin) }
    }
    while queue.next() != nil {}
    #expect(queue.running == 6)
    #expect(queue.removeWaiting().count == 9)
    #expect(queue.next() == nil)
    for origin in ["a", "b", "c"] { for _ in 0..<2 { queue.finished(origin: origin, answered: true) } }
    #expect(queue.isEmpty == true)
    queue.add("again", "a")
    #expect(queue.next() == "again")
  }

  @Test("whatever comes and ends in whatever order, nothing is lost and no bound is passed")
  func random() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      var queue = queue(running: 10, perOrigin: 3, perSilentOrigin: 1, waiting: 50)
      var running: [String: Int] = [:]
      var accepted = 0
      var taken = 0
      for step in 0..<500 {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          let origin = "o\(Int.random(in: 0..<8, using: &generator))"
          if queue.append("\(origin)#\(step)", origin: origin) { accepted += 1 }
        case 1:
          let hasNext = queue.hasNext
          let next = queue.next()
          #expect(hasNext == (next != nil))
          guard let item = next else { continue }
          taken += 1
          running[String(item.prefix { $0 != "#" }), default: 0] += 1
        default:
          guard let origin = running.keys.randomElement(using: &generator) else { continue }
          running[origin, default: 0] -= 1
          if running[origin] == 0 { running[origin] = nil }
          queue.finished(origin: origin, answered: Bool.random(using: &generator))
        }
        #expect(running.values.reduce(0, +) == queue.running)
        #expect(queue.running <= 10)
        #expect(running.values.allSatisfy { $0 <= 3 })
        #expect(queue.waiting == accepted - taken)
        #expect(queue.waiting <= 50)
      }
      while !queue.isEmpty {
        while let item = queue.next() {
          taken += 1
          running[String(item.prefix { $0 != "#" }), default: 0] += 1
        }
        guard let origin = running.keys.first else { break }
        running[origin, default: 0] -= 1
        if running[origin] == 0 { running[origin] = nil }
        queue.finished(origin: origin, answered: true)
      }
      #expect(queue.isEmpty == true)
      #expect(taken == accepted)
    }
  }
}

extension SendQueue<String> {
  fileprivate mutating func add(_ item: String, _ origin: String, accepted: Bool = true) {
    let result = append(item, origin: origin)
    #expect(result == accepted)
  }
}

@Suite("Names that were resolved a moment ago")
struct AddressBookTests {
  @Test("an answer is kept for half a minute")
  func lifetime() throws {
    let address = try #require(IPAddress(parsing: "192.0.2.1"))
    var book = AddressBook()
    book.keep([address], of: "a.example", at: 1_000)
    #expect(book.addresses(of: "a.example", at: 30_999) == [address])
    #expect(book.addresses(of: "a.example", at: 31_000) == nil)
    #expect(book.addresses(of: "b.example", at: 1_000) == nil)
  }

  @Test("it does not grow without bound")
  func bounded() throws {
    let address = try #require(IPAddress(parsing: "192.0.2.1"))
    var book = AddressBook()
    for number in 0..<10_000 { book.keep([address], of: "h\(number)", at: 0) }
    let kept = (0..<10_000).filter { book.addresses(of: "h\($0)", at: 0) != nil }
    #expect(kept.count <= AddressBook.entriesMaximum)
    #expect(kept.last == 9_999)
  }
}
