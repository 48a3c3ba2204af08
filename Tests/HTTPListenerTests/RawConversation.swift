import HTTPListener
import TestSupport

/// What became of raw octets that were sent to a listener.
struct RawConversation: Sendable, Equatable {
  /// The statuses in order, `close` where there was no answer at all, `hang` where the listener waited for more.
  let outcome: String
  /// The targets that the handler saw, without the one of the request that follows.
  let targets: [String]
  /// Whether nothing more was read after the octets: the connection was closed, and a request behind them not answered.
  let isOver: Bool

  /// A request that is sent after the octets on the same connection. Where the listener still speaks with us after the
  /// octets it answers this one and closes, so that nothing has to wait for silence.
  private static let farewell = "/farewell"
  private static let last = "GET \(farewell) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

  /// Sends `octets` to `harness`, which nobody else uses meanwhile.
  init(of octets: [UInt8], with harness: ListenerHarness) async throws {
    let seen = harness.requests.count
    let answers: [RawHTTPAnswer]? = try await harness.connected { connection in
      connection.send(octets)
      connection.send(Self.last)
      do { return try connection.answersToEnd() } catch RawHTTPError.timedOut { return nil }
    }
    targets = harness.requests.dropFirst(seen).map(\.target).filter { $0 != Self.farewell }
    guard let answers else {
      outcome = "hang"
      isOver = false
      return
    }
    let statuses = answers.filter { $0.text != Self.farewell }.map { String($0.status) }
    isOver = statuses.count == answers.count
    outcome = statuses.isEmpty ? "close" : statuses.joined(separator: " ")
  }
}
