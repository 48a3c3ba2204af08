package import EndpointRegistry
internal import HTTPListener
internal import Synchronization

/// All open event streams: one feed for each stack that has some, heartbeats, and the end of those whose device may read
/// no more.
package final class AlertFeeds: Sendable {
  /// Between two comments on a stream: the contract asks for 15 s at most.
  package static let heartbeat = Duration.seconds(10)
  /// Between two looks at whose token has ended, and who reads no more: the contract gives a second.
  package static let look = Duration.milliseconds(500)
  /// Streams of one device. A further one ends the oldest, of which the phone has probably lost hold.
  static let streamsPerDevice = 4

  private struct State {
    var feeds: [StackID: AlertFeed] = [:]
    /// The streams of each stack, in the order in which they were opened.
    var readers: [StackID: [EventReader]] = [:]
    var opened = 0
  }

  private let store: any RegistryStore
  private let log: Log
  private let look: Duration
  private let state = Mutex(State())

  package init(store: any RegistryStore, look: Duration = AlertFeeds.look, log: Log) {
    self.store = store
    self.look = look
    self.log = log
  }

  /// An alert was recorded: whoever listens to the stack gets it.
  package func recordGrew(of stack: StackID) { state.withLock { $0.feeds[stack] }?.recordGrew() }

  /// How many streams are open.
  package var count: Int { state.withLock { $0.readers.values.reduce(0) { $0 + $1.count } } }

  /// A new stream of a device, and the feed that it is to join. It is let go of by itself when it has ended.
  func open(_ stack: StackID, _ device: DeviceID, _ token: Token) -> (EventReader, AlertFeed) {
    let (reader, feed, surplus) = state.withLock { state in
      state.opened += 1
      let number = state.opened
      let stream = HTTPStream(capacity: EventReader.waitingOctets) { [weak self] in
        // Not at once: a feed that writes holds what closing needs.
        Task { self?.close(number, of: stack) }
      }
      let reader = EventReader(number: number, stack: stack, device: device, token: token, stream: stream)
      let feed = state.feeds[stack] ?? AlertFeed(stack: stack, store: store, log: log)
      state.feeds[stack] = feed
      state.readers[stack, default: []].append(reader)
      let own = state.readers[stack, default: []].filter { $0.device == device }
      return (reader, feed, own.count > Self.streamsPerDevice ? own.first : nil)
    }
    surplus?.stream.finish()
    return (reader, feed)
  }

  /// Lets go of a stream, and of its stack's feed with the last one.
  private func close(_ number: Int, of stack: StackID) {
    let feed = state.withLock { state in
      let feed = state.feeds[stack]
      state.readers[stack]?.removeAll { $0.number == number }
      if state.readers[stack]?.isEmpty == true {
        state.readers[stack] = nil
        state.feeds[stack] = nil
      }
      return feed
    }
    feed?.leave(number)
  }

  /// Keeps the streams alive and ends those that have to, until its task is cancelled.
  package func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask {
        while (try? await Task.sleep(for: Self.heartbeat)) != nil { self.sendHeartbeats() }
      }
      group.addTask {
        while (try? await Task.sleep(for: self.look)) != nil {
          self.endStalled()
          await self.endRevoked()
        }
      }
    }
  }

  /// One comment on every stream.
  package func sendHeartbeats() {
    for reader in readers { reader.stream.write(EventText.heartbeat) }
  }

  /// Cuts off the streams whose reader has stopped reading; to be called at even intervals.
  package func endStalled() {
    for reader in readers where reader.isStalled() { reader.stream.cut() }
  }

  /// Ends the streams whose token stands for an open device no more.
  package func endRevoked() async {
    let readers = readers
    guard !readers.isEmpty else { return }
    let ended: Set<String>
    do throws(RegistryError) {
      ended = Set(try await store.ended(readers.map(\.token)).map(\.text))
    } catch {
      log.warning("whose streams have to end could not be read: \(error)")
      return
    }
    for reader in readers where ended.contains(reader.token.text) { reader.stream.finish() }
  }

  private var readers: [EventReader] { state.withLock { $0.readers.values.flatMap { $0 } } }
}
