package import CryptoPrimitives
internal import HTTPClient
internal import HTTPListener
internal import Synchronization

/// A companion at work: receives wakes, reads, and follows the streams where it is told to.
package final class CompanionRun: Sendable {
  /// Takes what there is to say; what it throws ends the run. An alert to which it throws `stopped` counts as shown.
  package typealias Say = @Sendable (CompanionNote) throws(CompanionError) -> Void

  /// Looks at what came to the companion's own push server, before it is taken.
  package typealias Watch = @Sendable (CompanionArrival) -> Void

  private let book: CompanionBook
  private let follows: Bool
  private let tests: Bool
  private let random: RandomOctets
  private let watch: Watch?
  private let say: Say
  private let ignored = Mutex((undecryptable: 0, unknownStack: 0))

  /// Messages that wait for their stack's turn: each would be answered by the same read, so that the oldest may go.
  private static let waitingMaximum = 64

  /// - Parameters:
  ///   - follows: whether it reads the streams.
  ///   - tests: whether it asks each stack for a test wake when it can be woken.
  package init(
    _ book: CompanionBook, follows: Bool, tests: Bool = false, random: RandomOctets = .system,
    watch: Watch? = nil, say: @escaping Say
  ) {
    self.book = book
    self.follows = follows
    self.tests = tests
    self.random = random
    self.watch = watch
    self.say = say
  }

  /// Works until the task is cancelled, or until no registration is left: then it throws `nonePaired`.
  package func run() async throws(CompanionError) {
    let stacks = book.state.stacks.filter(\.isPaired)
    guard !stacks.isEmpty else { throw .nonePaired }
    let inboxes = Dictionary(
      uniqueKeysWithValues: stacks.map {
        (
          $0.stack,
          AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(Self.waitingMaximum))
        )
      })
    let receiver = try receiver(stacks) { stack, body in inboxes[stack]?.continuation.yield(body) }
    let result: Result<Void, CompanionError>
    do throws(CompanionError) {
      try say(.ready(stacks: stacks.count, listening: receiver.flatMap { _ in book.state.listen }))
      result = await work(stacks.map { ($0, inboxes[$0.stack]?.stream) })
    } catch { result = .failure(error) }
    await receiver?.stop()
    try result.get()
  }

  private func work(_ stacks: [(CompanionStack, AsyncStream<[UInt8]>?)]) async -> Result<Void, CompanionError>
  {
    await withTaskGroup(of: Result<Void, CompanionError>.self) { group in
      for (stack, inbox) in stacks {
        group.addTask { await self.serve(stack, inbox) }
      }
      var end = Result<Void, CompanionError>.success(())
      for await result in group {
        if case .failure = result, case .success = end {
          end = result
          group.cancelAll()
        }
      }
      if case .success = end, !Task.isCancelled { return .failure(.nonePaired) }
      return end
    }
  }

  /// One stack, until its registration ends.
  private func serve(_ stack: CompanionStack, _ inbox: AsyncStream<[UInt8]>?) async -> Result<
    Void, CompanionError
  > {
    let session = CompanionSession(
      stack, book: book,
      service: CompanionService(
        baseURL: stack.baseURL, stack: stack.stack, http: HTTPClient(pinned: stack.fingerprint)),
      random: random, say: say)
    return await withTaskGroup(of: Result<Void, CompanionError>.self) { group in
      group.addTask { await self.answer(inbox, for: session) }
      if follows {
        group.addTask {
          do throws(CompanionError) { return .success(try await session.follow()) } catch {
            return .failure(error)
          }
        }
      }
      if let topic = stack.subscriptions.last?.ntfyTopic {
        group.addTask { await self.follow(topic, for: session) }
      }
      // Whatever ends first ends the stack: a task ends by itself only where the registration is over, or for a fault.
      let first = await group.next() ?? .success(())
      group.cancelAll()
      // Said already, and other stacks go on.
      if case .failure(.ended) = first { return .success(()) }
      return first
    }
  }

  /// Reads once, as an app that is opened does, and then after every wake. With a stream that is the stream's to do.
  private func answer(_ inbox: AsyncStream<[UInt8]>?, for session: CompanionSession) async -> Result<
    Void, CompanionError
  > {
    do throws(CompanionError) {
      let isAlive = try await session.inTurn { [follows, tests] (session) throws(CompanionError) in
        try await session.refresh()
        if !follows { try await session.read() }
        if tests { try await session.askForTest() }
      }
      guard isAlive, let inbox else { return .success(()) }
      for await body in inbox {
        guard try await take(body, for: session) else { break }
      }
      return .success(())
    } catch { return .failure(error) }
  }

  /// What to do with one message; false where the registration is over.
  private func take(_ body: [UInt8], for session: CompanionSession) async throws(CompanionError) -> Bool {
    let known = try await session.known().stack
    guard let wake = CompanionWake(body, to: known.subscriptions) else {
      let count = ignored.withLock {
        $0.undecryptable += 1
        return $0.undecryptable
      }
      try say(.undecryptable(count: count))
      return true
    }
    // A subscription is one stack's own: another's id in it is nobody's that this companion knows of.
    guard wake.stack == known.stack else {
      let count = ignored.withLock {
        $0.unknownStack += 1
        return $0.unknownStack
      }
      try say(.unknownStack(count: count))
      return true
    }
    let arrival = ContinuousClock.now
    return try await session.inTurn { (session) throws(CompanionError) in
      try await session.answer(wake, since: arrival)
    }
  }
}

// MARK: - The ways in which wakes come

extension CompanionRun {
  /// The companion's own push server, where a stack has an endpoint there.
  private func receiver(
    _ stacks: [CompanionStack], taking take: @escaping @Sendable (_ stack: String, _ body: [UInt8]) -> Void
  ) throws(CompanionError) -> StandInPushServer? {
    guard stacks.contains(where: { $0.receives == "loopback" }), let listen = book.state.listen else {
      return nil
    }
    return try .receiving(at: listen) { [book, watch] message in
      let endpoint = "http://\(listen)\(message.target)"
      let stack = book.state.stacks.first { stack in
        stack.isPaired && stack.subscriptions.contains { $0.ntfyTopic == nil && $0.endpoint == endpoint }
      }
      guard let stack else { return false }
      watch?(CompanionArrival(message, to: stack.subscriptions))
      take(stack.stack, message.body)
      return true
    }
  }

  /// Follows a stack's topic, and reconnects after the last message that was taken.
  private func follow(_ topic: String, for session: CompanionSession) async -> Result<Void, CompanionError> {
    var backoff = CompanionBackoff()
    let ntfy = NtfyTopic(url: topic, http: HTTPClient())
    do throws(CompanionError) {
      while !Task.isCancelled {
        do throws(CompanionError) {
          try await ntfy.follow(since: session.known().stack.ntfyMessage) {
            (message) throws(CompanionError) in
            backoff.reset()
            guard try await self.take(message.body, for: session) else { throw .ended(status: 410) }
            try await self.book.change(stack: session.stack) { $0.ntfyMessage = message.id }
          }
        } catch {
          switch error {
          case .unreachable, .refused, .malformed:
            if !Task.isCancelled { try say(.trouble(try await session.known().stack, error)) }
          case .ended: return .success(())
          default: throw error
          }
        }
        try? await Task.sleep(for: .milliseconds(backoff.next(random: random)))
      }
      return .success(())
    } catch { return .failure(error) }
  }
}

extension StandInPushServer {
  /// A push server at `host:port` that keeps nothing: `take` says whether a message is for an endpoint that there is.
  static func receiving(
    at listen: String, _ take: @escaping @Sendable (Message) -> Bool
  ) throws(CompanionError) -> StandInPushServer {
    do throws(HTTPListenerError) {
      // 404 ends a subscription (RFC 8030 §5.2), and an endpoint that is not there has none.
      return try StandInPushServer(on: ListenAddress(parsing: listen)) { take($0) ? 201 : 404 }
    } catch { throw .cannotListen("\(listen): \(error)") }
  }
}
