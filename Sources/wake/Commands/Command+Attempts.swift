import EndpointRegistry
import PushDelivery
import StrictJSON
import WakeServer

extension Command {
  static let attempts = Command(
    "attempts", summary: "show what came of each wake, newest first",
    discussion: """
      "accepted" is what a push server says; CONFIRMED is the phone's own receipt, and how long it took. A receipt
      confirms every earlier wake of its phone too, so that one that was lost, or never left, looks slow.
      """,
    options: [
      Option("--stack", "STACK", help: "only this stack's"),
      Option("--device", "DEVICE", help: "only this device's"),
      Option("--outcome", "OUTCOME", help: "only these: accepted, gone, network …"),
      Option("--since", "SECONDS", help: "only those of the last so many seconds"),
      Option("--limit", "ROWS", help: "at most so many rows (\(Limits.pageRows))"),
    ]
  ) { invocation throws(CommandError) in
    let name = invocation.value("--stack")
    let filter = try Self.filter(invocation)
    let limit = try invocation.number("--limit", in: 1...mostAttempts) ?? Limits.pageRows
    let attempts = try await invocation.withStore { store throws(RegistryError) in
      var filter = filter
      if let name { filter.stack = try await store.stack(matching: name).id }
      return try await store.attempts(filter, before: nil, limit: limit)
    }
    try invocation.answer(
      .array(attempts.map(Presentation.attempt)),
      people: Table.lines(
        ["AT", "DEVICE", "FOR", "ALERTS", "OUTCOME", "STATUS", "CONFIRMED", "PUSH SERVER", "REASON"],
        attempts.map {
          [
            LocalTime.words($0.at), $0.device.text, $0.purpose.rawValue, $0.alertRange, $0.outcome.rawValue,
            $0.status.map(String.init), $0.timeToReceipt, $0.pushServer, $0.reason,
          ]
        }, empty: "no such attempt") + explanations(of: attempts))
  }

  /// What the rows mean, each thing once, in the order in which they show it.
  private static func explanations(of attempts: [Attempt]) -> [String] {
    var told: Set<String> = []
    return attempts.flatMap { attempt -> [String] in
      guard attempt.outcome.isWorthExplaining, let explanation = attempt.explanation else { return [] }
      let head = [
        attempt.outcome.rawValue, attempt.status.map(String.init), attempt.pushServer.map { "from \($0)" },
      ]
      .compactMap { $0 }.joined(separator: " ")
      guard told.insert("\(head)\n\(explanation)").inserted else { return [] }
      return ["", "\(head): \(explanation.cause)", "  What to do: \(explanation.fix)"]
    }
  }

  private static func filter(_ invocation: Invocation) throws(CommandError) -> AttemptFilter {
    var filter = AttemptFilter()
    if let text = invocation.value("--device") {
      guard let device = DeviceID(text) else { throw .usage("--device must be a device's id") }
      filter.device = device
    }
    if let text = invocation.value("--outcome") {
      guard let outcome = AttemptOutcome(rawValue: text) else {
        throw .usage(
          "--outcome must be one of \(AttemptOutcome.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      filter.outcome = outcome
    }
    let now = invocation.now
    if let seconds = try invocation.number("--since", "seconds", in: 0...Int(max(0, now) / 1_000)) {
      filter.since = now - Int64(seconds) * 1_000
    }
    return filter
  }

  /// Rows that one call prints: what a stack keeps at most.
  private static let mostAttempts = 100_000
}

extension Attempt {
  /// The alerts that the wake stood for.
  var alertRange: String? {
    guard let first = alertFirst?.text, let last = alertLast?.text else { return nil }
    return first == last ? first : "\(first)…\(last) ×\(alertCount)"
  }

  /// From the wake's beginning to its receipt, for people.
  var timeToReceipt: String? {
    guard let receiptAt else { return nil }
    let milliseconds = max(0, receiptAt - at)
    return milliseconds < 10_000 ? "\(milliseconds) ms" : "\(milliseconds / 1_000) s"
  }
}

extension AttemptOutcome {
  /// Whether people are told what it means: not of what happens every day and is as it should be.
  fileprivate var isWorthExplaining: Bool {
    switch self {
    case .accepted, .muted, .coalesced: false
    default: true
    }
  }
}
