internal import HTTPListener
package import PushDelivery

/// Tells the operator of tokens that were missing or not known: one line a second at most, with the number of those that
/// it stands for, so that nobody fills a log by guessing.
package final class FailedAuthentications: Sendable {
  /// Between two lines.
  static let milliseconds: Int64 = 1_000

  private struct State {
    var toldAt: Int64?
    /// Failures since the last line that have none of their own.
    var untold = 0
  }

  private let log: Log
  private let state = Guarded(State())

  package init(log: Log) { self.log = log }

  /// A request of `client` was answered 401 at a time; nil for a Unix socket. Neither token nor path are told.
  ///
  /// `request` is the name of the one that has a line.
  package func note(client: IPAddress?, at milliseconds: Int64, request: RequestID? = nil) {
    let others: Int? = state.withLock { state in
      // A clock that was put back must not silence the log.
      if let told = state.toldAt, (0..<Self.milliseconds).contains(milliseconds - told) {
        state.untold += 1
        return nil
      }
      state.toldAt = milliseconds
      defer { state.untold = 0 }
      return state.untold
    }
    guard let others else { return }
    let more = others == 0 ? "" : " (\(others) more since the last such line, from any address)"
    let line = "no valid token from \(client.map(\.description) ?? "a Unix socket"): 401\(more)"
    if let request { log.info(line, [RequestID.logField: request.text]) } else { log.info(line) }
  }
}
