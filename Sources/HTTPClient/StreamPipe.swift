internal import Dispatch
internal import Synchronization

/// What lies between the thread that reads an endless answer and the task that wants it: bounded in octets.
final class StreamPipe: Sendable {
  struct Head: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
  }

  /// Octets that wait for their reader before the server is not read from any more: the largest alert several times,
  /// and sixteen of libcurl's own pieces (CURL_MAX_WRITE_SIZE, 16 KiB).
  static let octetsMaximum = 262_144

  private typealias PieceWaiter = CheckedContinuation<Result<[UInt8]?, HTTPClientError>, Never>

  private struct State {
    var head: Head?
    var pieces = FirstInFirstOut<[UInt8]>()
    var octets = 0
    var end: Result<Void, HTTPClientError>?
    var isCancelled = false
    var headWaiter: CheckedContinuation<Result<Head, HTTPClientError>, Never>?
    var pieceWaiter: PieceWaiter?
    var writerWaits = false

    /// Where a piece went.
    enum Place { case unwanted, kept, full, awaited(PieceWaiter) }

    mutating func place(_ piece: [UInt8]) -> Place {
      if isCancelled { return .unwanted }
      if let reader = pieceWaiter {
        pieceWaiter = nil
        return .awaited(reader)
      }
      guard octets == 0 || octets + piece.count <= octetsMaximum else {
        writerWaits = true
        return .full
      }
      octets += piece.count
      pieces.append(piece)
      return .kept
    }
  }

  private let state = Mutex(State())
  /// Wakes the thread that waits for room.
  private let room = DispatchSemaphore(value: 0)

  var isCancelled: Bool { state.withLock { $0.isCancelled } }
}

// MARK: - The thread of the transfer

extension StreamPipe {
  func put(_ head: Head) {
    let waiter = state.withLock { state in
      state.head = head
      defer { state.headWaiter = nil }
      return state.headWaiter
    }
    waiter?.resume(returning: .success(head))
  }

  /// Hands over a piece, and waits for room where there is none; false where nobody wants it any more.
  func put(_ piece: [UInt8]) -> Bool {
    guard !piece.isEmpty else { return !isCancelled }
    while true {
      switch state.withLock({ $0.place(piece) }) {
      case .unwanted: return false
      case .kept: return true
      case .full: room.wait()
      case .awaited(let reader):
        reader.resume(returning: .success(piece))
        return true
      }
    }
  }

  /// Nothing more comes.
  func finish(_ end: Result<Void, HTTPClientError>) {
    let (head, piece) = state.withLock { state in
      state.end = end
      defer { (state.headWaiter, state.pieceWaiter) = (nil, nil) }
      return (state.headWaiter, state.pieceWaiter)
    }
    head?.resume(returning: .failure(Self.failure(end)))
    piece?.resume(returning: end.map { nil })
  }

  private static func failure(_ end: Result<Void, HTTPClientError>) -> HTTPClientError {
    if case .failure(let error) = end { error } else { .failed("the answer has no head") }
  }
}

// MARK: - The reader

extension StreamPipe {
  func head() async -> Result<Head, HTTPClientError> {
    await withCheckedContinuation { continuation in
      let known: Result<Head, HTTPClientError>? = state.withLock { state in
        if let head = state.head { return .success(head) }
        if state.isCancelled { return .failure(.failed("it was cancelled")) }
        if let end = state.end { return .failure(Self.failure(end)) }
        state.headWaiter = continuation
        return nil
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  func next() async -> Result<[UInt8]?, HTTPClientError> {
    await withCheckedContinuation { continuation in
      let (known, freed) = state.withLock { state in
        let known: Result<[UInt8]?, HTTPClientError>?
        if state.isCancelled {
          known = .success(nil)
        } else if let piece = state.pieces.popFirst() {
          state.octets -= piece.count
          known = .success(piece)
        } else if let end = state.end {
          known = end.map { nil }
        } else {
          precondition(state.pieceWaiter == nil, "two readers of one stream")
          state.pieceWaiter = continuation
          known = nil
        }
        defer { state.writerWaits = false }
        return (known, state.writerWaits)
      }
      if freed { room.signal() }
      if let known { continuation.resume(returning: known) }
    }
  }

  func cancel() {
    let (head, piece, freed) = state.withLock { state in
      state.isCancelled = true
      state.pieces = FirstInFirstOut()
      defer { (state.headWaiter, state.pieceWaiter, state.writerWaits) = (nil, nil, false) }
      return (state.headWaiter, state.pieceWaiter, state.writerWaits)
    }
    if freed { room.signal() }
    head?.resume(returning: .failure(.failed("it was cancelled")))
    piece?.resume(returning: .success(nil))
  }
}
