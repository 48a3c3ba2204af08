internal import HTTPClient

/// What waits to be sent, and whose turn it is: origins take turns, so that a crowd at one of them, or one that
/// stays silent, does not keep the others waiting.
///
/// Pure rules: who takes an item runs it, and says when it is done.
struct SendQueue<Item> {
  /// How much at the same time.
  struct Limits {
    /// Items that run, in all.
    let running: Int
    /// Items of one origin that run.
    let perOrigin: Int
    /// The same while the origin has not answered lately.
    let perSilentOrigin: Int
    /// Items that wait, in all.
    let waiting: Int
  }

  private struct Origin {
    var waiting = FirstInFirstOut<Item>()
    var running = 0
    /// Whether the last attempt that ended was answered.
    var answers: Bool
    /// Whether it stands in the line of origins.
    var isInLine = false
  }

  /// Origins that are remembered to answer while nothing of theirs waits or runs.
  private static var rememberedMaximum: Int { 4_096 }

  private let limits: Limits
  private var origins: [String: Origin] = [:]
  private var line = FirstInFirstOut<String>()
  private var answering: Set<String> = []
  /// Items that wait.
  private(set) var waiting = 0
  /// Items that were taken and are not done.
  private(set) var running = 0

  init(limits: Limits) { self.limits = limits }

  /// Whether nothing waits and nothing runs.
  var isEmpty: Bool { waiting == 0 && running == 0 }

  /// Whether `next` has an item.
  var hasNext: Bool { running < limits.running && !line.isEmpty }

  /// Adds an item at the end of its origin's own queue; false where too many wait.
  mutating func append(_ item: Item, origin name: String) -> Bool {
    guard waiting < limits.waiting else { return false }
    waiting += 1
    var origin = origins[name] ?? Origin(answers: answering.contains(name))
    origin.waiting.append(item)
    standInLine(name, &origin)
    origins[name] = origin
    return true
  }

  /// The next item to run; nil where none may.
  mutating func next() -> Item? {
    guard running < limits.running, let name = line.popFirst() else { return nil }
    guard var origin = origins[name] else { return nil }
    // Out of the dictionary while it changes, so that its queue is not copied.
    origins[name] = nil
    origin.isInLine = false
    guard let item = origin.waiting.popFirst() else { return nil }
    waiting -= 1
    running += 1
    origin.running += 1
    standInLine(name, &origin)
    origins[name] = origin
    return item
  }

  /// An item of that origin is done; `answered` says whether the push server said anything at all.
  mutating func finished(origin name: String, answered: Bool) {
    guard var origin = origins[name] else { return }
    origins[name] = nil
    running -= 1
    origin.running -= 1
    origin.answers = answered
    standInLine(name, &origin)
    if origin.waiting.isEmpty, origin.running == 0 {
      remember(name, answers: answered)
    } else {
      origins[name] = origin
    }
  }

  /// Takes everything that waits.
  mutating func removeWaiting() -> [Item] {
    var items: [Item] = []
    for name in Array(origins.keys) {
      while let item = origins[name]?.waiting.popFirst() { items.append(item) }
      origins[name]?.isInLine = false
    }
    line = FirstInFirstOut()
    waiting = 0
    return items
  }

  private mutating func standInLine(_ name: String, _ origin: inout Origin) {
    let limit = origin.answers ? limits.perOrigin : min(limits.perOrigin, limits.perSilentOrigin)
    guard !origin.isInLine, !origin.waiting.isEmpty, origin.running < limit else { return }
    origin.isInLine = true
    line.append(name)
  }

  private mutating func remember(_ name: String, answers: Bool) {
    guard answers else {
      answering.remove(name)
      return
    }
    // Whoever is forgotten begins with fewer places, and no more.
    if answering.count >= Self.rememberedMaximum { answering.removeAll(keepingCapacity: true) }
    answering.insert(name)
  }
}
