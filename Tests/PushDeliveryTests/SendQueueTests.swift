import TestSupport
import Testing

@testable import PushDelivery

@Suite("Whose turn it is to send")
struct SendQueueTests {
  private func queue(
    running: Int = 100, unanswered: Int = 100, silent: Int = 100, perOrigin: Int = 4,
    perUnknownOrigin: Int = 2,
    perSilentOrigin: Int = 1, waiting: Int = 1_000, waitingSilent: Int = 1_000,
    waitingPerSilentOrigin: Int = 1_000
  ) -> SendQueue<String> {
    SendQueue(
      limits: SendQueueLimits(
        running: running, runningUnanswered: unanswered, runningSilent: silent, perOrigin: perOrigin,
        perUnknownOrigin: perUnknownOrigin, perSilentOrigin: perSilentOrigin, waiting: waiting,
        waitingSilent: waitingSilent, waitingPerSilentOrigin: waitingPerSilentOrigin))
  }

  @Test("origins take turns, and each keeps its order")
  func turns() {
    var queue = queue(perUnknownOrigin: 4)
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

  @Test("an origin has few places until it answers, then more, and one alone when it falls silent")
  func places() {
    var queue = queue()
    for place in 0..<20 { queue.add("\(place)", "a") }
    #expect(queue.takeAll().count == 2)
    queue.finished(origin: "a", standing: .answering)
    #expect(queue.takeAll().count == 3)  // 1 was left, 4 may run
    for _ in 0..<3 { queue.finished(origin: "a", standing: .silent) }
    #expect(queue.takeAll().isEmpty)
    queue.finished(origin: "a", standing: .silent)
    #expect(queue.takeAll().count == 1)
    queue.finished(origin: "a", standing: .unknown)
    #expect(queue.takeAll().count == 2)
  }

  @Test(
    "what is known of an origin is remembered while nothing of it waits",
    arguments: [(OriginStanding.answering, 4), (.unknown, 2), (.silent, 1)])
  func memory(standing: OriginStanding, places: Int) {
    var queue = queue()
    queue.add("x", "a")
    #expect(queue.next() == "x")
    queue.finished(origin: "a", standing: standing)
    #expect(queue.isEmpty == true)
    for place in 0..<9 { queue.add("\(place)", "a") }
    #expect(queue.takeAll().count == places)
  }

  @Test("an attempt says of its origin whether it answers, is late or failed at once, or is silent")
  func standings() {
    let silence = OriginStanding.silenceMilliseconds
    let late = OriginStanding.lateMilliseconds
    #expect(OriginStanding(answered: true, milliseconds: late - 1) == .answering)
    #expect(OriginStanding(answered: true, milliseconds: late) == .unknown)
    #expect(OriginStanding(answered: false, milliseconds: silence - 1) == .unknown)
    #expect(OriginStanding(answered: false, milliseconds: silence) == .silent)
  }

  @Test("silent origins leave places for unknown ones, and both for those that answer")
  func shares() {
    var queue = queue(running: 16, unanswered: 12, silent: 4)
    queue.teach("known", .answering)
    for number in 0..<1_000 { queue.teach("silent\(number)", .silent) }
    for number in 0..<100 { queue.add("s", "silent\(number)") }
    #expect(queue.takeAll() == Array(repeating: "s", count: 4))
    for number in 0..<100 { queue.add("u", "unknown\(number)") }
    #expect(queue.takeAll() == Array(repeating: "u", count: 8))
    for _ in 0..<100 { queue.add("k", "known") }
    #expect(queue.takeAll() == Array(repeating: "k", count: 4))
    #expect(queue.running == 16)
    // Whoever answers keeps its places, whatever waits.
    queue.finished(origin: "known", standing: .answering)
    #expect(queue.takeAll() == ["k"])
    // A silent place that comes free is an unknown one's as much as a silent one's.
    queue.finished(origin: "silent0", standing: .silent)
    #expect(queue.takeAll() == ["u"])
    #expect(queue.running(.silent) + queue.running(.unknown) == 12)
  }

  @Test("those that answer do not take all turns either")
  func turnsOfStandings() {
    var queue = queue(running: 3)
    queue.teach("known", .answering)
    queue.teach("silent", .silent)
    for _ in 0..<10 { queue.add("k", "known") }
    queue.add("s", "silent")
    queue.add("u", "unknown")
    #expect(Set(queue.takeAll()) == ["k", "s", "u"])
  }

  @Test("an origin that answers while it stands in line goes to the line of those that do")
  func promotion() {
    var queue = queue(running: 10, unanswered: 2)
    queue.add("a1", "a")
    queue.add("b1", "b")
    #expect(queue.takeAll() == ["a1", "b1"])
    for place in 2...4 { queue.add("a\(place)", "a") }
    #expect(queue.hasNext == false)
    queue.finished(origin: "a", standing: .answering)
    #expect(queue.takeAll() == ["a2", "a3", "a4"])
    queue.add("b2", "b")
    #expect(queue.takeAll() == ["b2"])
  }

  @Test("what waits for one origin that falls silent is bounded too, whoever else is silent")
  func surplusOfOne() {
    var queue = queue(waitingPerSilentOrigin: 2)
    for place in 0..<6 { queue.add("\(place)", "a") }
    for place in 6..<9 { queue.add("\(place)", "b") }
    #expect(queue.takeAll() == ["0", "6", "1", "7"])
    queue.finished(origin: "a", standing: .silent)
    #expect(queue.removeSurplus() == ["2", "3"])
    queue.finished(origin: "b", standing: .silent)
    #expect(queue.removeSurplus().isEmpty && queue.waiting == 3)
  }

  @Test("what waits for an origin that falls silent is bounded, and the rest is given back")
  func surplus() {
    var queue = queue(waitingSilent: 3)
    for place in 0..<10 { queue.add("\(place)", "a") }
    #expect(queue.takeAll() == ["0", "1"])
    queue.finished(origin: "a", standing: .silent)
    #expect(queue.removeSurplus() == ["2", "3", "4", "5", "6"])
    #expect(queue.removeSurplus().isEmpty)
    #expect(queue.waiting == 3)
    queue.add("late", "a", accepted: false)
    queue.add("other", "b")
    queue.finished(origin: "a", standing: .answering)
    queue.add("late", "a")
    #expect(queue.takeAll() == ["7", "other", "8", "9", "late"])
  }

  @Test("no more run than may, in all")
  func total() {
    var queue = queue(running: 3)
    for origin in ["a", "b", "c", "d", "e"] { queue.add(origin, origin) }
    let first = [queue.next(), queue.next(), queue.next(), queue.next()]
    #expect(first == ["a", "b", "c", nil])
    queue.finished(origin: "b", standing: .answering)
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
    for origin in ["a", "b", "c"] {
      for _ in 0..<2 { queue.finished(origin: origin, standing: .answering) }
    }
    #expect(queue.isEmpty == true)
    queue.add("again", "a")
    #expect(queue.next() == "again")
  }

  @Test("whatever comes and ends in whatever order, nothing is lost and no bound is passed")
  func random() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20 {
      var queue = queue(running: 10, unanswered: 7, silent: 3, perOrigin: 3, waiting: 50, waitingSilent: 20)
      var running: [String: Int] = [:]
      var (accepted, taken, surplus) = (0, 0, 0)
      for step in 0..<1_000 {
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
          let origin = "o\(Int.random(in: 0..<12, using: &generator))"
          if queue.append("\(origin)#\(step)", origin: origin) { accepted += 1 }
        case 1:
          let hasNext = queue.hasNext
          let before = (silent: queue.running(.silent), unknown: queue.running(.unknown))
          let next = queue.next()
          #expect(hasNext == (next != nil))
          guard let item = next else { continue }
          // Origins that fall silent while more of theirs runs may pass these bounds; nobody new does.
          if queue.running(.silent) > before.silent { #expect(queue.running(.silent) <= 3) }
          let unanswered = queue.running(.silent) + queue.running(.unknown)
          if unanswered > before.silent + before.unknown { #expect(unanswered <= 7) }
          taken += 1
          running[String(item.prefix { $0 != "#" }), default: 0] += 1
        default:
          guard let origin = running.keys.randomElement(using: &generator) else { continue }
          running[origin, default: 0] -= 1
          if running[origin] == 0 { running[origin] = nil }
          let standing = OriginStanding.allCases.randomElement(using: &generator) ?? .unknown
          queue.finished(origin: origin, standing: standing)
          surplus += queue.removeSurplus().count
        }
        #expect(running.values.reduce(0, +) == queue.running)
        #expect(queue.running <= 10)
        #expect(running.values.allSatisfy { $0 <= 3 })
        #expect(queue.waiting == accepted - taken - surplus)
        #expect(queue.waiting <= 50)
      }
      while !queue.isEmpty {
        for item in queue.takeAll() {
          taken += 1
          running[String(item.prefix { $0 != "#" }), default: 0] += 1
        }
        guard let origin = running.keys.first else { break }
        running[origin, default: 0] -= 1
        if running[origin] == 0 { running[origin] = nil }
        queue.finished(origin: origin, standing: .answering)
      }
      #expect(queue.isEmpty == true)
      #expect(taken + surplus == accepted)
    }
  }
}

extension SendQueue<String> {
  fileprivate mutating func add(_ item: String, _ origin: String, accepted: Bool = true) {
    let result = append(item, origin: origin)
    #expect(result == accepted)
  }

  /// Takes all that may run now.
  fileprivate mutating func takeAll() -> [String] {
    var items: [String] = []
    while let item = next() { items.append(item) }
    return items
  }

  /// Lets an origin come to be known.
  fileprivate mutating func teach(_ origin: String, _ standing: OriginStanding) {
    add("lesson", origin)
    let lessons = takeAll()
    #expect(lessons == ["lesson"])
    finished(origin: origin, standing: standing)
  }
}
