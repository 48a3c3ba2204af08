internal import HTTPClient

/// What waits to be sent, and whose turn it is: origins take turns, so that a crowd at one of them, or one that
/// stays silent, does not keep the others waiting.
///
/// Pure rules: who takes an item runs it, and says when it is done.
struct SendQueue<Item>: ~Copyable {
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

  /// One object for each origin, so that a turn costs no search by name.
  private final class Origin {
    var waiting = FirstInFirstOut<Item>()
    var running = 0
    /// Whether the last attempt that ended was answered.
    var answers: Bool
    /// Whether it stands in the line of origins.
    var isInLine = false

    init(answers: Bool) { self.answers = answers }
  }

  /// Origins that are remembered to answer while nothing of theirs waits or runs.
  private static var rememberedMaximum: Int { 4_096 }

  private let limits: Limits
  private var origins: [String: Origin] = [:]
  private var line = FirstInFirstOut<Origin>()
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
    let origin = self.origin(name)
    origin.waiting.append(item)
    standInLine(origin)
    return true
  }

  /// The next item to run; nil where none may.
  mutating func next() -> Item? {
    guard running < limits.running, let origin = line.popFirst() else { return nil }
    origin.isInLine = false
    guard let item = origin.waiting.popFirst() else { return nil }
    waiting -= 1
    running += 1
    origin.running += 1
    standInLine(origin)
    return item
  }

  /// An item of that origin is done; `answered` says whether the push server said anything at all.
  mutating func finished(origin name: String, answered: Bool) {
    guard let origin = origins[name] else { return }
    running -= 1
    origin.running -= 1
    origin.answers = answered
    standInLine(origin)
    guard origin.waiting.isEmpty, origin.running == 0 else { return }
    origins[name] = nil
    remember(name, answers: answered)
  }

  /// Takes everything that waits.
  mutating func removeWaiting() -> [Item] {
    var items: [Item] = []
    for origin in origins.values {
      while let item = origin.waiting.popFirst() { items.append(item) }
      origin.isInLine = false
    }
    line = FirstInFirstOut()
    waiting = 0
    return items
  }

  private mutating func origin(_ name: String) -> Origin {
    if let origin = origins[name] { return origin }
    let origin = Origin(answers: answering.contains(name))
    origins[name] = origin
    return origin
  }

  private mutating func standInLine(_ origin: Origin) {
    let limit = origin.answers ? limits.perOrigin : min(limits.perOrigin, limits.perSilentOrigin)
    guard !origin.isInLine, !origin.waiting.isEmpty, origin.running < limit else { return }
    origin.isInLine = true
    line.append(origin)
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
