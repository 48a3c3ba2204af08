internal import EndpointRegistry
internal import KindCatalogue

/// What became of alerts and wakes since the start. Pure values.
struct WakeCounts: Sendable {
  /// Push servers that are told apart: those that came first. More than a household's phones use, and 33 times sixteen
  /// outcomes is what a scraper keeps without being asked.
  static let pushServersMaximum = 32

  private struct PushServer {
    var outcomes = Array(repeating: UInt64(0), count: AttemptOutcome.allCases.count)
    var requests = Histogram(Histogram.pushBounds)
  }

  private var names = BoundedNames(maximum: pushServersMaximum)
  private var pushServers = [PushServer()]
  private var alerts: [Kind: UInt64] = [:]
  private var answers = (atOnce: Histogram(Histogram.answerBounds), waited: Histogram(Histogram.answerBounds))
  private var receipts = Histogram(Histogram.receiptBounds)

  /// Where each outcome stands in a push server's list.
  private static let places = Dictionary(
    uniqueKeysWithValues: AttemptOutcome.allCases.enumerated().map { ($1, $0) })

  mutating func alertRecorded(_ kind: Kind) { alerts[kind, default: 0] += 1 }

  mutating func wakeEnded(_ outcome: AttemptOutcome, at origin: String) {
    pushServers[index(of: origin)].outcomes[Self.places[outcome] ?? 0] += 1
  }

  mutating func requestEnded(at origin: String, seconds: Double) {
    pushServers[index(of: origin)].requests.observe(seconds)
  }

  mutating func alertAnswered(waited: Bool, seconds: Double) {
    if waited { answers.waited.observe(seconds) } else { answers.atOnce.observe(seconds) }
  }

  mutating func receiptCame(seconds: Double) { receipts.observe(seconds) }

  private mutating func index(of origin: String) -> Int {
    let index = names.index(of: origin)
    if index == pushServers.count { pushServers.append(PushServer()) }
    return index
  }

  func write(to exposition: inout Exposition) {
    exposition.write(.alerts, Kind.allCases.map { .init([$0.name], .count(alerts[$0] ?? 0)) })
    // Every outcome from the first wake on: what begins at nothing can be seen to grow.
    exposition.write(
      .wakes,
      zip(names.names, pushServers).flatMap { name, server in
        zip(AttemptOutcome.allCases, server.outcomes).map { .init([$0.rawValue, name], .count($1)) }
      })
    exposition.write(
      .alertToAnswer, [.init(["no"], .histogram(answers.atOnce)), .init(["yes"], .histogram(answers.waited))])
    exposition.write(
      .pushRequest, zip(names.names, pushServers).map { .init([$0], .histogram($1.requests)) })
    exposition.write(.receipt, [.init([], .histogram(receipts))])
  }
}
