package import HTTPListener
internal import Synchronization

/// A push server that keeps what it is sent and delivers it to whoever asks: for `wake demo` and for tests.
///
/// Plain http on loopback. Every path is an endpoint; it answers 201 unless told otherwise.
package final class StandInPushServer: Sendable {
  /// A message as it arrived.
  package struct Message: Sendable {
    /// The request target, octet for octet.
    package let target: String
    /// All header fields, in the order in which they came.
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first field of this name, whatever its case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  private struct State {
    var messages: [Message] = []
    var statuses: [String: Int] = [:]
    var waiting: [CheckedContinuation<Bool, Never>] = []
    /// Targets whose messages are taken and not answered, with those who wait.
    var held: [String: [CheckedContinuation<Void, Never>]] = [:]
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let shared: Shared
  private let listener: HTTPListener

  /// Listens on a free port of loopback unless told otherwise. With `take`, which says the status of the answer, messages
  /// are not kept.
  package init(
    on address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
    taking take: (@Sendable (Message) -> Int)? = nil
  ) throws(HTTPListenerError) {
    let shared = Shared()
    self.shared = shared
    listener = try HTTPListener(
      address: address, limits: HTTPLimits(),
      refusal: { HTTPResponse(status: $0.status, headers: [], body: []) },
      handler: { await Self.receive($0, shared, take) })
  }

  /// `http://127.0.0.1:PORT`.
  package var origin: String { "http://\(listener.address)" }

  /// What arrived so far, oldest first.
  package var messages: [Message] { shared.state.withLock(\.messages) }

  /// From now on messages to `target` are answered with `status`.
  package func answer(_ target: String, with status: Int) {
    shared.state.withLock { $0.statuses[target] = status }
  }

  /// From now on messages to `target` are taken and not answered before ``release(_:)``.
  package func hold(_ target: String) { shared.state.withLock { $0.held[target] = $0.held[target] ?? [] } }

  /// Answers what was held, and from now on at once.
  package func release(_ target: String) {
    let waiting = shared.state.withLock { $0.held.removeValue(forKey: target) ?? [] }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until `count` messages in all have arrived, and gives up after `patience`: then there are fewer.
  package func wait(for count: Int, patience: Duration = .seconds(10)) async -> [Message] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.arrival(of: count) }
      group.addTask { try? await Task.sleep(for: patience) }
      await group.next()
      group.cancelAll()
      Self.wakeAll(shared)
    }
    return messages
  }

  private func arrival(of count: Int) async {
    while !Task.isCancelled {
      let enough = await withCheckedContinuation { continuation in
        let enough = shared.state.withLock { state in
          if state.messages.count >= count || Task.isCancelled { return true }
          state.waiting.append(continuation)
          return false
        }
        if enough { continuation.resume(returning: true) }
      }
      if enough || messages.count >= count { return }
    }
  }

  /// Closes the port.
  package func stop() async {
    for target in shared.state.withLock({ Array($0.held.keys) }) { release(target) }
    await listener.stop()
  }

  /// Lets everybody who waits look again.
  private static func wakeAll(_ shared: Shared) {
    let waiting = shared.state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: false) }
  }

  private static func receive(
    _ request: HTTPRequest, _ shared: Shared, _ take: (@Sendable (Message) -> Int)?
  ) async -> HTTPResponse {
    guard request.method == "POST" else { return HTTPResponse(status: 405, headers: [], body: []) }
    let message = Message(target: request.target, headers: request.headers, body: request.body)
    if let take { return HTTPResponse(status: take(message), headers: [("TTL", "0")], body: []) }
    let status = shared.state.withLock { state in
      state.messages.append(message)
      return state.statuses[request.target] ?? createdStatus
    }
    wakeAll(shared)
    await withCheckedContinuation { continuation in
      let isHeld = shared.state.withLock { state in
        guard state.held[request.target] != nil else { return false }
        state.held[request.target]?.append(continuation)
        return true
      }
      if !isHeld { continuation.resume() }
    }
    return HTTPResponse(status: status, headers: [("TTL", request.header("TTL") ?? "0")], body: [])
  }
}

/// A push server's answer to a message that it took (RFC 8030 §5).
private let createdStatus = 201
