internal import EndpointRegistry
internal import HTTPListener
internal import Synchronization

/// The new alerts of one stack, read from the store once and handed to every open stream.
///
/// Streams read the past from the store by themselves and join when the feed's tail reaches back to where they are: the
/// number of an alert, which has no gaps, says what comes next. So nothing is lost or doubled where past and present meet.
final class AlertFeed: Sendable {
  /// Octets of the newest alerts that are kept ready, for streams that are about to join: with the backlog that such a
  /// stream may have, they have room in it.
  static let tailOctets = EventReader.waitingOctets / 2
  /// Alerts that are read at once.
  static let pageRows = 200

  private struct Event {
    let number: Int64
    let octets: [UInt8]
  }

  private struct State {
    /// The newest alert that was handed out; nil before the first look at the store.
    var newest: AlertID?
    var tail: [Event] = []
    var tailOctets = 0
    /// The streams, by their numbers, and the alert after which each is fed from here.
    var readers: [Int: (reader: EventReader, after: AlertID)] = [:]
    var isReading = false
    /// Whether more may have come since the running read began.
    var isBehind = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let stack: StackID
  private let store: any RegistryStore
  private let log: Log
  private let state = Mutex(State())

  init(stack: StackID, store: any RegistryStore, log: Log) {
    self.stack = stack
    self.store = store
    self.log = log
  }

  /// Something may have been recorded: reads it and hands it out. Returns at once.
  func recordGrew() {
    let starts = state.withLock { state in
      state.isBehind = true
      guard !state.isReading else { return false }
      state.isReading = true
      return true
    }
    if starts { Task { await readAll() } }
  }

  /// Returns when everything that was recorded before the call has been handed out, or could not be read.
  func caughtUp() async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append(continuation) }
      recordGrew()
    }
  }

  /// Feeds the stream from now on with every alert after `position`; false where the feed does not reach back so far, and
  /// the store has to be read.
  func join(_ reader: EventReader, after position: AlertID) -> Bool {
    state.withLock { state in
      guard let newest = state.newest else { return false }
      if position.number < newest.number {
        guard let first = state.tail.first, first.number <= position.number + 1 else { return false }
        let missed = state.tail.drop { $0.number <= position.number }
        guard Self.hasRoom(reader, for: missed) else { return false }
        // Under the lock, so that what comes next comes after it.
        for event in missed { reader.stream.write(event.octets) }
      }
      state.readers[reader.number] = (reader, position.number < newest.number ? newest : position)
      return true
    }
  }

  /// Feeds the stream no more.
  func leave(_ number: Int) {
    state.withLock { $0.readers[number] = nil }
  }

  private func readAll() async {
    while true {
      let (after, waiting) = state.withLock { state in
        state.isBehind = false
        defer { state.waiting = [] }
        return (state.newest, state.waiting)
      }
      do throws(RegistryError) {
        if let after { try await read(after: after) } else { try await begin() }
      } catch .notFound {
        cutAll()  // The stack is no more.
      } catch {
        log.error("the alerts of stack \(stack) could not be read for its streams: \(error)")
        cutAll()
      }
      for continuation in waiting { continuation.resume() }
      let isDone = state.withLock { state in
        guard !state.isBehind else { return false }
        state.isReading = false
        return true
      }
      if isDone { return }
    }
  }

  private func begin() async throws(RegistryError) {
    guard let stack = try await store.stack(stack) else { throw .notFound }
    state.withLock { $0.newest = stack.newest }
  }

  private func read(after: AlertID) async throws(RegistryError) {
    var cursor: AlertID? = after
    while let from = cursor {
      let page = try await store.alerts(of: stack, after: from.text, limit: Self.pageRows)
      if page.gap != nil {
        // More came than is kept. Whoever reads on by id is told what is missing.
        cutAll()
        try await begin()
        return
      }
      publish(page.alerts)
      cursor = page.next
    }
  }

  private func publish(_ alerts: [Alert]) {
    guard let newest = alerts.last?.id else { return }
    let events = alerts.map { Event(number: $0.id.number, octets: EventText.alert($0)) }
    let readers = state.withLock { state in
      state.newest = newest
      state.tail += events
      state.tailOctets += events.reduce(0) { $0 + $1.octets.count }
      var surplus = 0
      while state.tailOctets > Self.tailOctets, surplus < state.tail.count {
        state.tailOctets -= state.tail[surplus].octets.count
        surplus += 1
      }
      state.tail.removeFirst(surplus)
      defer {
        for (number, fed) in state.readers where fed.after.number < newest.number {
          state.readers[number]?.after = newest
        }
      }
      return Array(state.readers.values)
    }
    // Not under the lock, which those who join wait for. In order all the same, since nobody else publishes, and who
    // joins meanwhile has these from the tail.
    for (reader, after) in readers { write(events, to: reader, after: after) }
  }

  private func write(_ events: [Event], to reader: EventReader, after position: AlertID) {
    let new = events.drop { $0.number <= position.number }
    guard Self.hasRoom(reader, for: new) else {
      // Too much at once for it: it reads the store at its own speed, and joins again.
      leave(reader.number)
      let replay = EventReplay(store: store, feed: self, reader: reader)
      Task { await replay.run(after: position) }
      return
    }
    for event in new { reader.stream.write(event.octets) }
  }

  /// Whether a stream takes these without being cut, a heartbeat beside them.
  private static func hasRoom(_ reader: EventReader, for events: ArraySlice<Event>) -> Bool {
    let octets = events.reduce(EventText.heartbeat.count) { $0 + $1.octets.count }
    return reader.stream.waitingOctets + octets <= EventReader.waitingOctets
  }

  /// Ends every stream without a word; its reader resumes by id. What the feed knows is forgotten.
  private func cutAll() {
    let readers = state.withLock { state in
      defer {
        state.readers = [:]
        state.tail = []
        state.tailOctets = 0
        state.newest = nil
      }
      return Array(state.readers.values)
    }
    for (reader, _) in readers { reader.stream.cut() }
  }
}
