internal import StrictJSON

extension CompanionSession {
  /// Looks at the stack anew: its label, its kinds, its VAPID key.
  func refresh() async throws(CompanionError) {
    try await learn(try await service.presentation(token: known().token))
  }

  /// Asks for a test wake; ``answer(_:since:)`` says when it came.
  func askForTest() async throws(CompanionError) {
    let (known, token) = try known()
    testAskedFor = .now
    try await service.test(device: known.device, token: token)
  }

  /// What a wake asks for: the kinds where their version is another one, and the alerts after the cursor.
  func answer(_ wake: CompanionWake, since arrival: ContinuousClock.Instant) async throws(CompanionError) {
    // All wakes look alike: the first one after the asking is taken for the test.
    if let asked = testAskedFor, asked <= arrival {
      testAskedFor = nil
      try say(.tested(try known().stack, after: arrival - asked))
    }
    if let version = wake.catalogueVersion, try known().stack.catalogueVersion != version {
      try await refresh()
    }
    let count = try await read(receipt: wake.receipt)
    try say(.read(try known().stack, alerts: count))
  }

  /// Reads the alerts after the cursor, page by page; the receipt travels with the first. Returns how many were shown.
  @discardableResult
  func read(receipt: String? = nil) async throws(CompanionError) -> Int {
    var receipt = receipt
    var count = 0
    while !Task.isCancelled {
      let (known, token) = try known()
      let page = try await service.alerts(token: token, after: known.cursor, receipt: receipt)
      receipt = nil
      guard case .array(let alerts)? = page["alerts"] else {
        throw .malformed("a page without alerts")
      }
      try await learn(page)
      if case .object(let gap)? = page["gap"] { try await say(gap, isAlone: alerts.isEmpty) }
      count += try await show(alerts.compactMap(\.object))
      guard let next = page["next"]?.string else { break }
      guard next != known.cursor, next.isOpaque else { throw .malformed("a page that leads to itself") }
      // The same as the last alert's id, unless that was shown before.
      try await book.change(stack: stack) { $0.cursor = next }
    }
    return count
  }

  /// Says that something may be missing. Where nothing follows, the cursor is the newest that the service has, so that
  /// this is said once.
  func say(_ gap: JSONObject, isAlone: Bool) async throws(CompanionError) {
    try say(.gap(try known().stack, reason: gap["reason"]?.string ?? "unknown"))
    if isAlone, let newest = gap["newest"]?.string, newest.isOpaque {
      try await book.change(stack: stack) { $0.cursor = newest }
    }
  }
}
