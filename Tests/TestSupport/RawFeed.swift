import Glibc
import Synchronization

/// The rest of an answer of a `RawServer`, piece by piece, as the test goes on.
public final class RawFeed: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var isEnded = false
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  /// How often the other side is looked at.
  private static let lookMilliseconds: Int32 = 5

  /// A feed that has nothing to send yet.
  public init() {}

  /// Sends octets.
  public func send(_ octets: [UInt8]) { state.withLock { $0.pieces.append(octets) } }

  /// Sends text.
  public func send(_ text: String) { send(Array(text.utf8)) }

  /// Closes the connection when all is sent.
  public func end() { state.withLock { $0.isEnded = true } }

  /// Waits until the connection is over, whoever ended it.
  public func over() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  func run(into stream: any RawStream, _ descriptor: Int32) {
    while true {
      let (pieces, isEnded) = state.withLock { state in
        defer { state.pieces = [] }
        return (state.pieces, state.isEnded)
      }
      guard pieces.allSatisfy({ stream.write($0) }), !isEnded else { break }
      var look = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&look, 1, Self.lookMilliseconds) > 0, stream.read(1) == nil { break }
    }
    let waiting = state.withLock { state in
      state.isOver = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
