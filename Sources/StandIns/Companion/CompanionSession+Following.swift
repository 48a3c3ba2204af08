internal import HTTPClient
internal import StrictJSON
internal import WakeServer

extension CompanionSession {
  /// Follows the stack's stream until the registration ends or the task does, and reconnects with the last id.
  func follow() async throws(CompanionError) {
    var backoff = CompanionBackoff()
    var requested: Int?
    while !Task.isCancelled {
      var asked = 0
      do throws(CompanionError) {
        try await followOnce(&backoff, &requested)
      } catch {
        switch error {
        case .ended: return try await end()
        case .unreachable, .busy, .refused, .malformed:
          if !Task.isCancelled { try say(.trouble(try known().stack, error)) }
          asked = (error.retryAfterSeconds ?? 0) * 1_000
        default: throw error
        }
      }
      let pause = backoff.next(requested: requested, random: random)
      try? await Task.sleep(for: .milliseconds(max(pause, asked)))
    }
  }

  /// One connection, to its end.
  private func followOnce(_ backoff: inout CompanionBackoff, _ requested: inout Int?)
    async throws(CompanionError)
  {
    let (known, token) = try known()
    let stream = try await service.events(token: token, after: known.cursor)
    defer { stream.cancel() }
    var reader = EventStreamReader(lastEventID: known.cursor ?? "")
    while !Task.isCancelled {
      let piece: [UInt8]?
      do throws(HTTPClientError) { piece = try await stream.next() } catch { throw .unreachable("\(error)") }
      guard let piece else { return }
      let items: [EventStreamReader.Item]
      do throws(EventStreamReader.Failure) { items = try reader.read(piece) } catch {
        throw .malformed("a stream with a line or an event beyond all bounds")
      }
      if let retry = reader.retryMilliseconds { requested = retry }
      for case .event(let event) in items {
        backoff.reset()
        guard try await inTurn({ (session) throws(CompanionError) in try await session.take(event) }) else {
          throw .ended(status: 410)
        }
      }
    }
  }

  private func take(_ event: EventStreamReader.Event) async throws(CompanionError) {
    guard ["hello", "alert", "gap"].contains(event.event) else { return }
    let limits = JSONLimits(
      octets: EventStreamReader.dataLengthMaximum, depth: Presentation.answerLimits.depth)
    guard case .object(let object)? = try? StrictJSON.parse(Array(event.data.utf8), limits: limits) else {
      throw .malformed("an event that is no JSON object")
    }
    switch event.event {
    case "hello":
      try await learn(object)
      // Without a cursor the stream begins at the newest alert, and says which it is.
      if try known().stack.cursor == nil, event.id.isOpaque {
        let newest = event.id
        try await book.change(stack: stack) { $0.cursor = newest }
      }
      try say(.following(try known().stack))
    case "alert": _ = try await show([object])
    default: try await say(object, isAlone: false)
    }
  }
}
