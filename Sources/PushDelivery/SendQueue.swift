internal import HTTPClient

/// What waits to be sent, and whose turn it is: origins take turns, so that a crowd at one of them does not keep the
/// others waiting; and those of one standing take turns with those of another, so that however many origins stay
/// silent, places are left for those that answer, and for those of which nothing is known yet.
///
/// Pure rules: who takes an item runs it, and says when it is done.
struct SendQueue<Item>: ~Copyable {
  /// One object for each origin, so that a turn costs no search by name.
  private final class Origin {
    var waiting = FirstInFirstOut<Item>()
    var running = 0
    var standing: OriginStanding
    /// Whether it stands in the line of its standing, …
    var isInLine = false
    /// … and its latest ticket there. An older one is of a line that it has left.
    var ticket = 0

    init(standing: OriginStanding) { self.standing = standing }
  }

  /// A place in a line.
  private struct Place {
    let origin: Origin
    let ticket: Int
    /// Whether the origin still waits here.
    var isHeld: Bool { origin.isInLine && origin.ticket == ticket }
  }

  /// Origins of one standing.
  private struct Line {
    /// Who has left is passed over when its turn comes.
    var places = FirstInFirstOut<Place>()
    /// How many stand in it.
    var length = 0
    /// Items that run, and that wait, of all origins of this standing.
    var running = 0
    var waiting = 0
  }

  /// Origins whose standing is remembered while nothing of theirs waits or runs.
  private static var rememberedMaximum: Int { 4_096 }

  private let limits: SendQueueLimits
  private var origins: [String: Origin] = [:]
  private var lines = OriginStanding.allCases.map { _ in Line() }
  /// The place in `lines` of the line whose turn it is.
  private var turn = 0
  private var remembered: [String: OriginStanding] = [:]
  private var surplus: [Item] = []

  init(limits: SendQueueLimits) { self.limits = limits }

  /// Items that wait.
  private(set) var waiting = 0
  /// Items that were taken and are not done.
  private(set) var running = 0
  /// Whether nothing waits and nothing runs.
  var isEmpty: Bool { waiting == 0 && running == 0 }
  /// Whether `next` has an item.
  var hasNext: Bool { mayTake(.answering) || mayTake(.unknown) || mayTake(.silent) }

  /// Items that run of origins of that standing.
  func running(_ standing: OriginStanding) -> Int { lines[standing.rawValue].running }

  /// Adds an item at the end of its origin's own queue, or at its front where it is `urgent`; false where too many wait.
  mutating func append(_ item: Item, origin name: String, urgent: Bool = false) -> Bool {
    guard waiting < limits.waiting else { return false }
    let standing = origins[name]?.standing ?? remembered[name] ?? .unknown
    let origin = origins[name] ?? Origin(standing: standing)
    if standing == .silent, !urgent {
      guard lines[standing.rawValue].waiting < limits.waitingSilent,
        origin.waiting.count < limits.waitingPerSilentOrigin
      else { return false }
    }
    origins[name] = origin
    waiting += 1
    lines[standing.rawValue].waiting += 1
    if urgent { origin.waiting.prepend(item) } else { origin.waiting.append(item) }
    standInLine(origin)
    return true
  }

  /// The next item to run; nil where none may.
  mutating func next() -> Item? {
    for step in 0..<lines.count {
      let place = (turn + step) % lines.count
      guard let standing = OriginStanding(rawValue: place), mayTake(standing) else { continue }
      turn = (place + 1) % lines.count
      return takeFirst(of: standing)
    }
    return nil
  }

  /// An item of that origin is done; `standing` is what that tells of the origin, nil for nothing.
  mutating func finished(origin name: String, standing: OriginStanding?) {
    guard let origin = origins[name] else { return }
    running -= 1
    lines[origin.standing.rawValue].running -= 1
    origin.running -= 1
    if let standing { move(origin, to: standing) }
    standInLine(origin)
    guard origin.waiting.isEmpty, origin.running == 0 else { return }
    origins[name] = nil
    if remembered.count >= Self.rememberedMaximum { remembered.removeAll(keepingCapacity: true) }
    remembered[name] = origin.standing
  }

  /// Takes what waited for an origin that fell silent, and is more than may wait for such.
  mutating func removeSurplus() -> [Item] {
    defer { surplus = [] }
    return surplus
  }

  /// Takes everything that waits.
  mutating func removeWaiting() -> [Item] {
    var items = removeSurplus()
    for origin in origins.values {
      while let item = origin.waiting.popFirst() { items.append(item) }
      origin.isInLine = false
    }
    for place in lines.indices {
      lines[place].places = FirstInFirstOut()
      lines[place].length = 0
      lines[place].waiting = 0
    }
    waiting = 0
    return items
  }

  private func mayTake(_ standing: OriginStanding) -> Bool {
    guard lines[standing.rawValue].length > 0, running < limits.running else { return false }
    if standing == .silent, running(.silent) >= limits.runningSilent { return false }
    return standing == .answering || running(.unknown) + running(.silent) < limits.runningUnanswered
  }

  private mutating func takeFirst(of standing: OriginStanding) -> Item? {
    let place = standing.rawValue
    while let first = lines[place].places.popFirst() {
      guard first.isHeld else { continue }
      let origin = first.origin
      origin.isInLine = false
      lines[place].length -= 1
      guard let item = origin.waiting.popFirst() else { continue }
      waiting -= 1
      running += 1
      lines[place].waiting -= 1
      lines[place].running += 1
      origin.running += 1
      standInLine(origin)
      return item
    }
    return nil
  }

  private mutating func standInLine(_ origin: Origin) {
    guard !origin.isInLine, !origin.waiting.isEmpty, origin.running < limits.places(of: origin.standing)
    else { return }
    origin.isInLine = true
    lines[origin.standing.rawValue].length += 1
    origin.ticket += 1
    lines[origin.standing.rawValue].places.append(Place(origin: origin, ticket: origin.ticket))
  }

  private mutating func move(_ origin: Origin, to standing: OriginStanding) {
    guard origin.standing != standing else { return }
    let (old, new) = (origin.standing.rawValue, standing.rawValue)
    if origin.isInLine {
      // Its place in the old line stays, and is passed over there.
      origin.isInLine = false
      lines[old].length -= 1
    }
    lines[old].running -= origin.running
    lines[old].waiting -= origin.waiting.count
    origin.standing = standing
    lines[new].running += origin.running
    lines[new].waiting += origin.waiting.count
    if standing == .silent { shorten(origin) }
    dropPassedOver(of: old)
  }

  private mutating func shorten(_ origin: Origin) {
    while lines[origin.standing.rawValue].waiting > limits.waitingSilent
      || origin.waiting.count > limits.waitingPerSilentOrigin, let item = origin.waiting.popFirst()
    {
      waiting -= 1
      lines[origin.standing.rawValue].waiting -= 1
      surplus.append(item)
    }
  }

  /// Keeps a line from growing by places that were left: no more than half of them are such, but for a few.
  private mutating func dropPassedOver(of line: Int) {
    guard lines[line].places.count > 2 * lines[line].length + 64 else { return }
    var kept = FirstInFirstOut<Place>()
    while let place = lines[line].places.popFirst() { if place.isHeld { kept.append(place) } }
    lines[line].places = kept
  }
}
