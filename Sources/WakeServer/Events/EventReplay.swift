internal import EndpointRegistry
internal import HTTPListener

/// Brings one stream from its cursor to the present, no faster than its reader reads, and joins it to the feed.
struct EventReplay: Sendable {
  /// Octets that are written at once: with one alert more, far from what a stream may have waiting.
  static let pieceOctets = 16_384

  /// Alerts of the first page, whose sizes nobody knows: as many of the largest as a stream has room for.
  static let firstRows = 15

  let store: any RegistryStore
  let feed: AlertFeed
  let reader: EventReader

  /// Writes what the stream opens with; `cursor` nil is a reader without a past. Returns where the stack's alerts stand.
  func open(_ cursor: String?) async throws(RegistryError) -> AlertID {
    await feed.caughtUp()
    guard let stack = try await store.stack(reader.stack) else { throw .notFound }
    reader.stream.write(EventText.heartbeat)
    reader.stream.write(EventText.hello(stack, id: cursor == nil ? stack.newest : nil))
    return stack.newest
  }

  /// Feeds the stream every kept alert after `cursor` and what comes then. A cursor that cannot be honoured is said.
  func run(after cursor: String) async { await replay(after: cursor, saysGap: true) }

  /// Feeds the stream what comes after `position`. Where that is not kept any more, the stream is cut.
  func run(after position: AlertID) async {
    if !join(after: position) { await replay(after: position.text, saysGap: false) }
  }

  /// A stream that cannot be brought to the present is cut: its reader resumes by id.
  private func replay(after start: String, saysGap: Bool) async {
    var hasJoined = false
    do throws(RegistryError) {
      hasJoined = try await read(after: start, saysGap: saysGap)
    } catch {
      // The store is closing, or the stack is gone.
    }
    if !hasJoined { reader.stream.cut() }
  }

  private func read(after start: String, saysGap: Bool) async throws(RegistryError) -> Bool {
    var cursor = start
    var rows = Self.firstRows
    var mayHaveGap = saysGap
    while reader.stream.isOpen {
      let page = try await store.alerts(of: reader.stack, after: cursor, limit: rows)
      if let gap = page.gap {
        // Later on it says that the reader is too slow for what is kept.
        guard mayHaveGap else { return false }
        reader.stream.write(EventText.gap(gap))
      }
      mayHaveGap = false
      // Many small alerts in one piece, so that they do not leave one by one.
      var piece: [UInt8] = []
      var written = 0
      for (index, alert) in page.alerts.enumerated() {
        piece += EventText.alert(alert)
        guard piece.count >= Self.pieceOctets || index == page.alerts.count - 1 else { continue }
        guard await reader.stream.drained(below: EventReader.backlogOctets) else { return false }
        reader.stream.write(piece)
        written += piece.count
        piece.removeAll(keepingCapacity: true)
      }
      rows = Self.rows(after: written, of: page.alerts.count)
      guard let reached = page.alerts.last?.id ?? page.gap?.newest ?? AlertID(cursor) else { return false }
      if join(after: reached) { return true }
      if page.next == nil {
        await feed.caughtUp()
        if join(after: reached) { return true }
        if page.alerts.isEmpty { return false }
      }
      cursor = reached.text
    }
    return false
  }

  /// How many alerts the next page may have, so that it takes about as much memory as a stream has waiting.
  private static func rows(after octets: Int, of alerts: Int) -> Int {
    guard octets > 0 else { return AlertFeed.pageRows }
    return min(max(1, EventReader.waitingOctets * alerts / octets), AlertFeed.pageRows)
  }

  private func join(after position: AlertID) -> Bool {
    guard feed.join(reader, after: position) else { return false }
    // One that has ended meanwhile has left before it came.
    if !reader.stream.isOpen { feed.leave(reader.number) }
    return true
  }
}
