internal import KindCatalogue

/// When a stack's devices are looked at for whom to wake. Pure rules; times are of a clock that nobody sets, in
/// milliseconds.
///
/// One look at a time, and not one for each alert: in a storm the first alert wakes, the second finds every window
/// open, and the others are then known to have nobody to wake before the first window ends.
struct StackSchedule: Sendable {
  /// What has to be done now.
  enum Action: Sendable, Equatable {
    case nothing
    /// Look at the devices.
    case look
    /// Come back at this time.
    case comeBack(at: Int64)
  }

  /// What a look came to.
  struct Look: Sendable, Equatable {
    /// Wakes that are on their way.
    var sent = 0
    /// Kinds of the alerts that were looked at for the first time.
    var kinds: Set<Kind> = []
    /// When the first window ends behind which a wake waits; nil where none waits.
    var nextWindowEnds: Int64?
    /// What the store's count of changed rules was.
    var rules: Int64?
    /// Whether it ended early, and the rest has to be looked at once more.
    var failed = false
  }

  /// Windows that end within a sixtieth of a window of each other are served by one look: it comes so much later.
  static let togetherDivisor: Int64 = 60
  /// After a look that failed: the store is busy or full, and what nobody was woken for is on record. Once there is room
  /// again, everything goes on within five seconds.
  static let storeMilliseconds: Int64 = 2_000
  /// After a push server had no place free, or fell silent.
  static let retryMilliseconds: Int64 = 5_000

  private var isLooking = false
  /// Somebody may be woken whom the running look has passed already.
  private var isWanted = false
  /// Kinds of alerts that came during the running look.
  private var missed: Set<Kind> = []
  /// Alerts of these kinds find nobody to wake before `quietUntil`.
  private var quietKinds: Set<Kind> = []
  private var quietUntil = Int64.min
  /// Somebody may be woken in whom the running look found nobody.
  private var isLoosened = false
  /// The count of changed rules that the last look went by.
  private var rules: Int64?
  private var dueAt: Int64?
  /// The first time until which somebody waits whom the running look may have passed over.
  private var waitsUntil: Int64?
  /// The earliest time that was asked for and has not come.
  private var timerAt: Int64?

  /// Whether nothing is under way, planned or known.
  func isForgettable(at now: Int64) -> Bool {
    !isLooking && dueAt == nil && timerAt == nil && now >= quietUntil
  }

  /// Whether its devices are looked at, or will be.
  var hasWork: Bool { isLooking || dueAt != nil }

  /// Whether something waits, or is known to find nobody: both by rules that somebody may change.
  func goesByRules(at now: Int64) -> Bool { !isLooking && (dueAt != nil || now < quietUntil) }

  /// The store's count of changed rules: windows and mutes, set here or by another process.
  mutating func rulesAre(_ count: Int64) -> Action {
    guard !isLooking, let rules, rules != count else { return .nothing }
    quietKinds = []
    return look()
  }

  /// An alert that wakes was recorded.
  mutating func alert(_ kind: Kind, at now: Int64) -> Action {
    if isLooking {
      missed.insert(kind)
      return .nothing
    }
    guard now < quietUntil, quietKinds.contains(kind) else { return look() }
    return dueAt == nil ? plan(quietUntil) : .nothing
  }

  /// A device came or its mutes changed: the next alert may find somebody to wake at once.
  mutating func loosened() -> Action {
    quietKinds = []
    isLoosened = isLooking
    return .nothing
  }

  /// A device that was passed over may be woken now.
  mutating func changed() -> Action {
    guard isLooking else { return look() }
    isWanted = true
    return .nothing
  }

  /// A device waits until a time, which the running look may have passed over.
  mutating func waits(until time: Int64) -> Action {
    guard isLooking else { return dueAt.map { $0 <= time } ?? false ? .nothing : plan(time) }
    waitsUntil = min(waitsUntil ?? .max, time)
    return .nothing
  }

  /// The look has ended. `window` is the stack's.
  mutating func ended(_ look: Look, window: Int64, at now: Int64) -> Action {
    isLooking = false
    rules = look.rules ?? rules
    guard !look.failed else {
      quietKinds = []
      return plan(now + Self.storeMilliseconds)
    }
    let due = [look.nextWindowEnds, waitsUntil].compactMap { $0 }.min()
      .map { max($0 + window / Self.togetherDivisor, now) }
    waitsUntil = nil
    if look.sent > 0 || isLoosened {
      quietKinds = []
    } else {
      quietKinds = now < quietUntil ? quietKinds.union(look.kinds) : look.kinds
      quietUntil = due ?? now + window
    }
    let findsNobody = now < quietUntil && missed.isSubset(of: quietKinds)
    if isWanted || !missed.isEmpty && !findsNobody { return self.look() }
    if let due { return plan(due) }
    return missed.isEmpty ? .nothing : plan(quietUntil)
  }

  /// A time that was asked for has come.
  mutating func cameBack(at now: Int64) -> Action {
    if let timer = timerAt, timer <= now { timerAt = nil }
    guard let due = dueAt, !isLooking else { return .nothing }
    guard due <= now else { return plan(due) }
    quietKinds = []
    return look()
  }

  private mutating func look() -> Action {
    isLooking = true
    isWanted = false
    isLoosened = false
    missed = []
    dueAt = nil
    return .look
  }

  private mutating func plan(_ time: Int64) -> Action {
    dueAt = time
    // One who comes back too early is sent away again.
    if let timer = timerAt, timer <= time { return .nothing }
    timerAt = time
    return .comeBack(at: time)
  }
}
