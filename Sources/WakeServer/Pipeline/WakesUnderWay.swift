internal import EndpointRegistry
internal import Synchronization

/// What is on its way: devices with a wake for alerts, and how much each push server has yet to answer.
///
/// A device's next wake waits for the end of the one before, and a push server that is slow or silent gets no more wakes
/// than it may keep waiting: the rest stays in the store, undecided, where it merges. So what waits here is bounded, and
/// nobody waits behind another's push server.
final class WakesUnderWay: Sendable {
  /// Wakes under way to a push server that answers, but not fast: enough for a look at whom to wake next to be rare.
  static let slowMaximum = 256
  /// The same to one that nobody has asked yet.
  static let unknownMaximum = 64
  /// The same to one whose last attempt got no answer.
  static let silentMaximum = 32
  /// The same to one that is fast: half of what may be under way in all.
  static let fastMaximum = WakePipeline.sendsUnderWay / 2
  /// A push server is fast that ends so many attempts, each within a period…
  static let fastEnds = 16
  /// …of so many milliseconds: what waits for it is gone before anybody notices. Twenty that time out together say nothing
  /// of the kind.
  static let paceMilliseconds: Int64 = 250
  /// Silent push servers that are remembered while nothing is under way to them.
  static let silentRemembered = 4_096

  private struct PushServer {
    var underWay = 0
    /// Whether the last attempt that ended was answered; nil before the first.
    var answers: Bool?
    /// Attempts that ended in the current period and in the one before.
    var ends = (current: 0, before: 0)
    var period: Int64 = 0
    /// Stacks that have more for it.
    var stacks: Set<StackID> = []

    mutating func advance(to now: Int64) {
      let period = now / WakesUnderWay.paceMilliseconds
      guard period != self.period else { return }
      ends = (0, period == self.period + 1 ? ends.current : 0)
      self.period = period
    }

    /// How many wakes may be under way to it.
    var maximum: Int {
      // One that refuses every connection at once keeps nobody waiting either.
      if max(ends.current, ends.before) >= WakesUnderWay.fastEnds { return WakesUnderWay.fastMaximum }
      guard let answers else { return WakesUnderWay.unknownMaximum }
      return answers ? WakesUnderWay.slowMaximum : WakesUnderWay.silentMaximum
    }
  }

  private struct State {
    /// Each with the stack that has more for it, where one has.
    var devices: [DeviceID: StackID?] = [:]
    var pushServers: [String: PushServer] = [:]
  }

  private let state = Mutex(State())

  /// Whether `device` has a wake for alerts under way; then its `stack` is told when that ends.
  func holds(_ device: DeviceID, of stack: StackID) -> Bool {
    state.withLock { state in
      guard state.devices[device] != nil else { return false }
      state.devices[device] = stack
      return true
    }
  }

  /// Takes a place for a wake to a push server; false where it has too many to answer, and then `stack` is told when it
  /// has answered half of what it may keep waiting. `now` is of a clock that nobody sets, in milliseconds.
  ///
  /// An operator who waits for the answer is `urgent`, and always gets one.
  func takePlace(at origin: String, for stack: StackID?, urgent: Bool = false, now: Int64) -> Bool {
    state.withLock { state in
      var server = state.pushServers[origin] ?? PushServer()
      server.advance(to: now)
      defer { state.pushServers[origin] = server }
      guard urgent || server.underWay < server.maximum else {
        if let stack { server.stacks.insert(stack) }
        return false
      }
      server.underWay += 1
      return true
    }
  }

  /// Notes that a wake for alerts begins; its device has none.
  func begin(_ device: DeviceID) { state.withLock { $0.devices[device] = .some(nil) } }

  /// Notes that a wake for alerts has ended; the stack that waited for that.
  func end(_ device: DeviceID) -> StackID? {
    state.withLock { $0.devices.removeValue(forKey: device) ?? nil }
  }

  /// Gives a place back after an attempt that took `milliseconds`; the stacks that may have it now. `answered` is nil where
  /// nothing was sent.
  func giveBack(at origin: String, answered: Bool?, milliseconds: Int = 0, now: Int64) -> Set<StackID> {
    state.withLock { state in
      guard var server = state.pushServers[origin] else { return [] }
      server.advance(to: now)
      server.underWay -= 1
      if let answered {
        server.answers = answered
        if milliseconds < Self.paceMilliseconds { server.ends.current += 1 }
      }
      var told: Set<StackID> = []
      if server.underWay <= server.maximum / 2 { swap(&told, &server.stacks) }
      let isForgettable = server.underWay == 0 && server.stacks.isEmpty && server.answers != false
      state.pushServers[origin] = isForgettable ? nil : server
      if state.pushServers.count > Self.silentRemembered {
        state.pushServers = state.pushServers.filter { $0.value.underWay > 0 || !$0.value.stacks.isEmpty }
      }
      return told
    }
  }
}
