package import HTTPListener
internal import Synchronization
package import WakeServer

/// A push server that keeps what it is sent and delivers it to whoever asks: for `wake demo`, `wake pushserver` and tests.
///
/// Every path is an endpoint. It answers 201 unless it has rules, or is told otherwise.
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
    var isStopping = false
    /// Targets whose messages are taken and not answered, with those who wait.
    var held: [String: [CheckedContinuation<Void, Never>]] = [:]
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// What a server is made with.
  private struct Conduct: Sendable {
    let scheme: String
    let rules: PushServerRules?
    let clock: WallClock
    let keepsMessages: Bool
    let see: @Sendable (PushSight) -> Void
    let take: (@Sendable (Message) -> Int)?
  }

  private let shared: Shared
  private let listener: HTTPListener
  private let scheme: String

  /// Listens on a free port of loopback unless told otherwise, by https where there is an `identity`.
  ///
  /// Without `rules` nothing is checked, which is what measures a sender's speed. `see` hears of every request before it is
  /// answered, on any thread. With `take`, which says the status of the answer, messages are not kept.
  package init(
    on address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), identity: TLSIdentity? = nil,
    rules: PushServerRules? = nil, clock: WallClock = .system, keepsMessages: Bool = true,
    taking take: (@Sendable (Message) -> Int)? = nil,
    seeing see: @escaping @Sendable (PushSight) -> Void = { _ in }
  ) throws(HTTPListenerError) {
    let shared = Shared()
    let scheme = identity == nil ? "http" : "https"
    let conduct = Conduct(
      scheme: scheme, rules: rules, clock: clock, keepsMessages: keepsMessages && take == nil, see: see,
      take: take)
    self.shared = shared
    self.scheme = scheme
    listener = try HTTPListener(
      address: address, limits: HTTPLimits(), identities: identity.map(TLSIdentitySlot.init),
      // Who sends here sends from one address.
      countedAs: { _ in nil },
      refusal: { refusal in
        see(PushSight(at: clock.now(), refusedWith: refusal.status, because: refusal.detail))
        return HTTPResponse(status: refusal.status, headers: [], body: [])
      },
      handler: { await Self.receive($0, shared, conduct) })
  }

  /// `http://127.0.0.1:PORT`, or `https://…`.
  package var origin: String { "\(scheme)://\(listener.address)" }

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
    let held = shared.state.withLock { state in
      state.isStopping = true
      return Array(state.held.keys)
    }
    for target in held { release(target) }
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
    _ request: HTTPRequest, _ shared: Shared, _ conduct: Conduct
  ) async -> HTTPResponse {
    guard conduct.rules != nil || request.method == "POST" else { return HTTPResponse(status: 405) }
    let message = Message(target: request.target, headers: request.headers, body: request.body)
    if let take = conduct.take { return HTTPResponse(status: take(message), headers: [("TTL", "0")]) }
    let status = shared.state.withLock { state in
      if conduct.keepsMessages { state.messages.append(message) }
      return state.statuses[request.target]
    }
    let response = await answer(to: request, shared, conduct)
    if conduct.keepsMessages { wakeAll(shared) }
    await held(request.target, shared)
    guard let status else { return response }
    return HTTPResponse(status: status, headers: [("TTL", request.header("TTL") ?? "0")])
  }

  private static func answer(to request: HTTPRequest, _ shared: Shared, _ conduct: Conduct) async
    -> HTTPResponse
  {
    guard let rules = conduct.rules else {
      return HTTPResponse(status: createdStatus, headers: [("TTL", request.header("TTL") ?? "0")])
    }
    let now = conduct.clock.now()
    let push = ReceivedPush(
      request, scheme: conduct.scheme, nowSeconds: now / 1_000, verifies: rules.checks)
    let reaction = rules.reaction(to: push)
    conduct.see(PushSight(push, reaction, at: now))
    await pause(reaction.delayMilliseconds, shared)
    // What no HTTP library commits is `HostilePushServer`'s.
    guard case .answer(let response) = reaction.deed else { return HTTPResponse(status: 501) }
    return response
  }

  /// Lets the time of a slow answer pass, or what there is of it until the server stops.
  private static func pause(_ milliseconds: Int, _ shared: Shared) async {
    var rest = milliseconds
    while rest > 0, !shared.state.withLock(\.isStopping) {
      try? await Task.sleep(for: .milliseconds(min(rest, stopLookMilliseconds)))
      rest -= stopLookMilliseconds
    }
  }

  /// Returns when nobody holds messages to `target` any more.
  private static func held(_ target: String, _ shared: Shared) async {
    await withCheckedContinuation { continuation in
      let isHeld = shared.state.withLock { state in
        guard state.held[target] != nil else { return false }
        state.held[target]?.append(continuation)
        return true
      }
      if !isHeld { continuation.resume() }
    }
  }
}

/// A push server's answer to a message that it took (RFC 8030 §5).
private let createdStatus = 201
/// How often a slow answer looks whether the server stops.
private let stopLookMilliseconds = 100
