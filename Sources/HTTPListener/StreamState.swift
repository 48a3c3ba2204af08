/// The state of a stream, and the rules for its connection.
///
/// The connection is suspended and resumed under the stream's lock, and the library has to take that lock to be done
/// with the answer (`end`). So no call that resumes is under way, and none comes later, when the library frees the
/// connection or when its daemon ends.
struct StreamState: Sendable {
  enum Phase { case open, finished, over }

  struct Waiter: Sendable {
    let below: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Who is to be told of an end, once the lock has been given up.
  struct Ending: Sendable {
    fileprivate(set) var waiters: [Waiter] = []
    fileprivate(set) var onEnd: (@Sendable () -> Void)?

    func tell() {
      for waiter in waiters { waiter.continuation.resume(returning: false) }
      onEnd?()
    }
  }

  private(set) var phase = Phase.open
  var waiting = OctetQueue()
  var connection: StreamConnection?
  /// Who waits for `waiting` to become less.
  var waiters: [Waiter] = []
  private var isSuspended = false
  private var onEnd: (@Sendable () -> Void)?

  init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

  /// Nothing waits: what the library is told.
  mutating func pause() -> HTTPStream.Portion {
    switch phase {
    case .open:
      connection?.suspend()
      isSuspended = true
      return .nothing
    case .finished:
      if connection?.closesAtEnd == true { connection?.expire() }
      return .end
    case .over:
      connection?.expire()
      return .cut
    }
  }

  /// Has the library ask again, where it does not do so anyway.
  mutating func wake() {
    guard isSuspended else { return }
    isSuspended = false
    connection?.resume()
  }

  mutating func takeReadyWaiters() -> [Waiter] {
    let count = waiting.count
    defer { waiters.removeAll { count < $0.below } }
    return waiters.filter { count < $0.below }
  }

  mutating func finish() -> Ending? {
    guard phase == .open else { return nil }
    phase = .finished
    wake()
    defer { waiters = [] }
    return Ending(waiters: waiters)
  }

  mutating func cut() -> Ending? {
    guard phase != .over else { return nil }
    let ending = close()
    // A reader that does not read would never have the library ask again.
    connection?.cut()
    wake()
    return ending
  }

  mutating func end() -> Ending? {
    connection = nil
    return phase == .over ? nil : close()
  }

  private mutating func close() -> Ending {
    phase = .over
    waiting = OctetQueue()
    defer { (waiters, onEnd) = ([], nil) }
    return Ending(waiters: waiters, onEnd: onEnd)
  }
}
