package import CryptoPrimitives
internal import HTTPClient
internal import Synchronization
internal import StrictJSON
package import WakeServer

/// Registers a companion with the stack that a pairing link names.
package struct CompanionPairing: Sendable {
  /// How wakes shall come.
  package enum Receiver: Sendable, Equatable {
    /// To a push server of the companion's own, at `host:port`; nil for the address it has, or a free port of loopback.
    case ownPushServer(listen: String?)
    /// To a topic of an ntfy server.
    case ntfy(topic: String)
    /// Not at all: it reads when it runs.
    case none
  }

  /// What came of it.
  package struct Outcome: Sendable {
    package let stack: CompanionStack
    /// The device's state in the answer to the registration, before any wake.
    package let registered: String?
    /// Whether the activation wake came; nil where nobody listened for it here.
    package let wakeCame: Bool?
  }

  let book: CompanionBook
  let random: RandomOctets
  /// How long the activation wake is waited for.
  let patience: Duration

  /// What a companion that has no address of its own listens at.
  static let listenDefault = "127.0.0.1:0"

  /// How long the first wake is waited for.
  package static let patienceSeconds = 10

  package init(
    _ book: CompanionBook, random: RandomOctets = .system, patience: Duration = .seconds(patienceSeconds)
  ) {
    self.book = book
    self.random = random
    self.patience = patience
  }

  /// Registers, keeps what the service gives, and hands back the receipt of the activation wake.
  ///
  /// Where no answer comes, the same link can be used again: the companion's `client` is kept, so that the service knows
  /// the repeat.
  package func pair(_ link: PairingLink, receiver: Receiver, label: String) async throws(CompanionError)
    -> Outcome
  {
    guard case .ownPushServer(let listen) = receiver else {
      let stack = try await register(link, receiver, label: label)
      return Outcome(stack: stack, registered: stack.state, wakeCame: nil)
    }
    if let listen, let own = book.state.listen, own != listen {
      throw .cannotListen("the companion's endpoints are at \(own) already")
    }
    let (messages, arrival) = AsyncStream.makeStream(
      of: StandInPushServer.Message.self, bufferingPolicy: .bufferingNewest(Self.waitingMaximum))
    let server = try StandInPushServer.receiving(at: book.state.listen ?? listen ?? Self.listenDefault) {
      arrival.yield($0)
      return true
    }
    let result: Result<Outcome, CompanionError>
    do throws(CompanionError) {
      let address = String(server.origin.dropFirst("http://".count))
      try await book.change { $0.listen = address }
      let stack = try await register(link, receiver, label: label)
      let wakeCame = await activation(stack, messages)
      result = .success(
        Outcome(stack: book.state[stack.stack] ?? stack, registered: stack.state, wakeCame: wakeCame))
    } catch { result = .failure(error) }
    await server.stop()
    return try result.get()
  }

  /// Messages of other stacks may come meanwhile.
  private static let waitingMaximum = 64

  private func register(_ link: PairingLink, _ receiver: Receiver, label: String) async throws(CompanionError)
    -> CompanionStack
  {
    // Before the first attempt: `client` must be the same in a second one.
    try await book.change { _ in }
    let service = CompanionService(
      baseURL: link.baseURL, stack: link.stack, http: HTTPClient(pinned: link.fingerprint))
    var topic: String?
    if case .ntfy(let named) = receiver { topic = named }
    let subscription =
      receiver == .none
      ? nil
      : try CompanionSubscription(
        vapidPublicKey: link.vapidPublicKey, ntfyTopic: topic,
        receiver: "http://\(book.state.listen ?? "")", random: random)
    let members: [(String, JSONValue)] =
      [("client", .string(book.state.client(for: link.stack))), ("label", .string(label))]
      + (subscription?.members ?? [])
    let answer: JSONObject
    do throws(CompanionError) {
      answer = try await service.register(code: link.code, .object(JSONObject(uniqueMembers: members)))
    } catch {
      // To a code, 401 says nothing of a registration.
      if case .ended(let status) = error {
        throw .refused(status: status, code: "the pairing code is not valid")
      }
      throw error
    }
    let names = try CompanionService.names(of: answer)
    let known = book.state[link.stack]
    var stack = CompanionStack(
      stack: link.stack, label: known?.label ?? link.stack, baseURL: link.baseURL,
      fingerprint: link.fingerprint,
      device: names.device, token: names.token,
      // Alerts since an earlier registration are still to be shown.
      cursor: known?.cursor ?? answer["cursor"]?.string, state: answer["state"]?.string,
      subscriptions: subscription.map { [$0] } ?? [])
    let registered = stack
    try await book.change { $0[link.stack] = registered }
    // A registration leaves alone what it does not name, such as the endpoint of an earlier one.
    if subscription == nil, stack.state != "no-push" {
      let changed = try await service.change(device: stack.device, token: names.token, ["endpoint": .null])
      stack.state = changed["state"]?.string ?? stack.state
    }
    // The token is kept; what this cannot learn, the next run does.
    if let presentation = try? await service.presentation(token: names.token) {
      stack.learn(presentation)
      let learned = stack
      try await book.change { $0[link.stack] = learned }
    }
    return stack
  }

  /// Waits for the wake that follows a registration.
  private func activation(_ stack: CompanionStack, _ messages: AsyncStream<StandInPushServer.Message>) async
    -> Bool
  {
    let wake = await withTaskGroup(of: CompanionWake?.self) { group in
      group.addTask {
        for await message in messages {
          let wake = CompanionWake(message.body, to: stack.subscriptions)
          if let wake, wake.stack == stack.stack { return wake }
        }
        return nil
      }
      group.addTask { [patience] in
        try? await Task.sleep(for: patience)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    guard let wake else { return false }
    if let receipt = wake.receipt, let token = stack.token {
      let service = CompanionService(
        baseURL: stack.baseURL, stack: stack.stack, http: HTTPClient(pinned: stack.fingerprint))
      // A receipt that does not arrive is answered by the next one.
      try? await service.handBack(receipt, device: stack.device, token: token)
      if let state = try? await service.device(stack.device, token: token)["state"]?.string {
        try? await book.change(stack: stack.stack) { $0.state = state }
      }
    }
    return true
  }
}
