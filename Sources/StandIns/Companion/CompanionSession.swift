internal import CryptoPrimitives
internal import StrictJSON

/// A companion's dealings with one stack, one at a time: reading after wakes, and whatever the stream says.
actor CompanionSession {
  let stack: String
  let service: CompanionService
  let book: CompanionBook
  let random: RandomOctets
  let say: CompanionRun.Say
  private var last: Task<Void, Never>?
  /// Alerts that were shown while both ways, wakes and the stream, brought them.
  private var shown = RecentNames(most: recentMaximum)
  /// When a test wake was asked for that has not come.
  var testAskedFor: ContinuousClock.Instant?

  /// What can be under way twice: a page of the largest size for every page of a stream's backlog that we know of.
  static let recentMaximum = 2_048

  init(
    _ stack: CompanionStack, book: CompanionBook, service: CompanionService, random: RandomOctets,
    say: @escaping CompanionRun.Say
  ) {
    self.stack = stack.stack
    self.service = service
    self.book = book
    self.random = random
    self.say = say
  }

  /// The stack as it is known now; throws `ended` where its registration is over.
  func known() throws(CompanionError) -> (stack: CompanionStack, token: String) {
    guard let known = book.state[stack], let token = known.token else { throw .ended(status: 410) }
    return (known, token)
  }

  /// Runs `work` when all that was asked for before is done, again and again while a passing fault is in its way.
  /// Returns false where the registration has ended.
  func inTurn(
    _ work: @escaping @Sendable (CompanionSession) async throws(CompanionError) -> Void
  ) async throws(CompanionError) -> Bool {
    let before = last
    let task = Task {
      await before?.value
      return await self.attempt(work)
    }
    last = Task { _ = await task.value }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }

  private func attempt(
    _ work: @Sendable (CompanionSession) async throws(CompanionError) -> Void
  ) async -> Result<Bool, CompanionError> {
    var backoff = CompanionBackoff()
    while !Task.isCancelled {
      do throws(CompanionError) {
        do throws(CompanionError) {
          try await work(self)
          return .success(true)
        } catch {
          if case .ended = error {
            try await end()
            return .success(false)
          }
          guard let known = book.state[stack], error.isOfTheService else { throw error }
          try say(.trouble(known, error))
          guard error.isPassing else { return .success(true) }
          let pause = backoff.next(random: random)
          let asked = (error.retryAfterSeconds ?? 0) * 1_000
          try? await Task.sleep(for: .milliseconds(max(pause, asked)))
        }
      } catch {
        return .failure(error)
      }
    }
    return .success(true)
  }

  /// Forgets the token of a registration that is over.
  func end() async throws(CompanionError) {
    guard let known = book.state[stack], known.isPaired else { return }
    try await book.change(stack: stack) { $0.token = nil }
    try say(.ended(known))
  }

  // MARK: - In turn only

  /// Shows alerts, oldest first, that were not shown before, and then keeps the last one's id as the cursor.
  ///
  /// In this order nothing is lost where the process is killed between the two. The alert is shown again then, under
  /// the same notification id, which a phone replaces.
  func show(_ alerts: [JSONObject]) async throws(CompanionError) -> Int {
    let known = try known().stack
    var newest: String?
    var count = 0
    var stop: CompanionError?
    for alert in alerts where !Task.isCancelled && stop == nil {
      guard let id = alert["id"]?.string, id.isOpaque else { throw .malformed("an alert without an id") }
      guard !shown.contains(id) else { continue }
      do throws(CompanionError) { try say(.alert(known, alert)) } catch {
        guard error == .stopped else { throw error }
        stop = error
      }
      shown.insert(id)
      newest = id
      count += 1
    }
    if let newest { try await book.change(stack: stack) { $0.cursor = newest } }
    if let stop { throw stop }
    return count
  }

  /// Takes what an answer says of the stack, and says so where the kinds are others.
  func learn(_ answer: JSONObject) async throws(CompanionError) {
    let before = try known().stack
    var after = before
    after.learn(answer)
    if after.label != before.label || after.kinds != before.kinds
      || after.catalogueVersion != before.catalogueVersion
    {
      try await book.change(stack: stack) { $0.learn(answer) }
    }
    if after.kinds != before.kinds { try say(.kinds(after)) }
    if let key = answer["vapidPublicKey"]?.string, let used = before.subscriptions.last,
      key != used.vapidPublicKey
    {
      try await renew(used, vapidPublicKey: key)
    }
  }

  /// Makes a subscription with the stack's new key. Until the service has it, both are listened to.
  private func renew(_ used: CompanionSubscription, vapidPublicKey: String) async throws(CompanionError) {
    let (known, token) = try known()
    let fresh = try CompanionSubscription(
      vapidPublicKey: vapidPublicKey, ntfyTopic: used.ntfyTopic,
      receiver: "http://\(book.state.listen ?? "")", random: random)
    try await book.change(stack: stack) { $0.subscriptions = [used, fresh] }
    let answer: JSONObject
    do throws(CompanionError) {
      answer = try await service.change(
        device: known.device, token: token, .object(JSONObject(uniqueMembers: fresh.members)))
    } catch {
      // The old one is in use still, and its key tells the next look that this is to be done.
      try await book.change(stack: stack) { $0.subscriptions = [used] }
      throw error
    }
    try await book.change(stack: stack) {
      $0.subscriptions = [fresh]
      $0.state = answer["state"]?.string ?? $0.state
    }
    try say(.renewed(known))
  }
}

extension CompanionError {
  /// Whether the service or the way to it is at fault, so that other stacks can go on.
  fileprivate var isOfTheService: Bool {
    switch self {
    case .unreachable, .ended, .busy, .refused, .malformed: true
    default: false
    }
  }
}
