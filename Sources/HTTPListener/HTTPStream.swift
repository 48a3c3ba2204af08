internal import Synchronization

/// The content of an answer that is written bit by bit, for as long as its reader stays.
///
/// A handler makes it and returns it in `HTTPResponse.stream`. It may be written to from then on and before, from any
/// thread; octets of one writer keep their order. Whoever writes never waits: what the reader has not taken yet is kept,
/// up to a capacity, and beyond that the reader is cut off. It should be written to every ten seconds or so, because a
/// reader that has vanished is found out only by what it does not acknowledge (`HTTPLimits.streamSilenceSeconds`).
package final class HTTPStream: Sendable {
  private let capacity: Int
  private let state: Mutex<StreamState>

  /// A stream that keeps up to `capacity` octets for its reader.
  ///
  /// `onEnd` is called exactly once, when nothing more will be sent, whatever the reason: all was sent after `finish`,
  /// it was cut, the reader has left, the listener stopped, the answer did not go out at all, or nobody has the stream
  /// any more. It may be called on the library's thread, so it must be quick.
  package init(capacity: Int, onEnd: @escaping @Sendable () -> Void = {}) {
    self.capacity = capacity
    state = Mutex(StreamState(onEnd: onEnd))
  }

  deinit { end() }

  /// Sends octets as soon as may be. False where the stream has been finished or has ended; also where they exceed the
  /// capacity, which cuts the stream.
  @discardableResult
  package func write(_ octets: [UInt8]) -> Bool {
    let (isTaken, ending) = state.withLock { state -> (Bool, StreamState.Ending?) in
      guard state.phase == .open else { return (false, nil) }
      guard octets.count <= capacity - state.waiting.count else { return (false, state.cut()) }
      state.waiting.append(octets)
      if !octets.isEmpty { state.wake() }
      return (true, nil)
    }
    ending?.tell()
    return isTaken
  }

  /// Takes no more octets. Those that wait are still sent, and then the reader is told that this was all.
  package func finish() { state.withLock { $0.finish() }?.tell() }

  /// Ends at once: what waits is dropped and the connection closed, so that the reader sees content that breaks off.
  package func cut() { state.withLock { $0.cut() }?.tell() }

  /// Whether octets are taken.
  package var isOpen: Bool { state.withLock { $0.phase == .open } }

  /// The octets that wait for the reader, without the few that are on their way already.
  package var waitingOctets: Int { state.withLock(\.waiting.count) }

  /// Returns true as soon as fewer than `count` octets wait, false where octets are not taken any more.
  ///
  /// The cancelling of the task does not end it, the end of the stream does.
  /// Nothing leaves before the handler has returned the stream, so it is no use to wait for that inside the handler.
  package func drained(below count: Int) async -> Bool {
    await withCheckedContinuation { continuation in
      let isDrained: Bool? = state.withLock { state in
        if state.phase != .open { return false }
        if state.waiting.count < count { return true }
        state.waiters.append(.init(below: count, continuation: continuation))
        return nil
      }
      if let isDrained { continuation.resume(returning: isDrained) }
    }
  }
}

// MARK: - For the listener

extension HTTPStream {
  /// What the library gets when it asks for content.
  enum Portion: Equatable {
    /// So many octets.
    case octets(Int)
    /// Nothing yet: the connection is suspended, and is resumed when there is something.
    case nothing
    /// That was all.
    case end
    /// The connection is to be closed.
    case cut
  }

  /// The answer goes out on a connection, until `end`.
  func attach(to connection: StreamConnection) { state.withLock { $0.connection = connection } }

  /// Moves octets into `buffer`; to be called from the library's callback alone.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Portion {
    let (portion, ready) = state.withLock { state -> (Portion, [StreamState.Waiter]) in
      let count = unsafe state.waiting.take(into: buffer)
      return count > 0 ? (.octets(count), state.takeReadyWaiters()) : (state.pause(), [])
    }
    for waiter in ready { waiter.continuation.resume(returning: true) }
    return portion
  }

  /// The library is done with the answer, or never gets it.
  func end() { state.withLock { $0.end() }?.tell() }

  /// Cuts the stream where its reader has left or vanished.
  func sweep() {
    state.withLock { state -> StreamState.Ending? in
      guard let connection = state.connection, connection.hasLeft || connection.isSilent else { return nil }
      return state.cut()
    }?.tell()
  }
}
