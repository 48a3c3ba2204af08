internal import HTTPListener
package import PushDelivery
internal import Synchronization

/// Holds an address to a rate of requests whose token is missing or not known, and tells the operator of them: one line a
/// second at most, with the number of those that it stands for, so that nobody fills a log by guessing.
///
/// It is asked once a token was looked up in vain: a right one is honoured whatever came from its address before, so that
/// nobody behind a proxy can lock others out. No token is guessed at any rate, each being 256 random bits; what is held
/// back is the load and the noise.
package final class FailedAuthentications: Sendable {
  /// 30 at once, then one a minute.
  package static let rate = Rate(30, in: 30 * 60)
  /// Between two lines.
  static let milliseconds: Int64 = 1_000

  private struct State {
    var toldAt: Int64?
    /// Failures since the last line that have none of their own.
    var untold = 0
  }

  private let log: Log
  private let steady: SteadyTime
  private let limiter = RateLimiter<ClientNetwork>(rate)
  private let state = Mutex(State())

  package init(log: Log, steady: SteadyTime) {
    self.log = log
    self.steady = steady
  }

  /// Takes note of a request of `client` without a valid token; nil for a Unix socket. Neither token nor path are told.
  ///
  /// - Parameter request: the name of the request, for its line.
  /// - Returns: nil where it is answered 401, otherwise the seconds after which the next will be.
  package func note(client: IPAddress?, request: RequestID? = nil) -> Int? {
    let now = steady.now()
    let wait = limiter.take(ClientNetwork(client), at: now)
    let others: Int? = state.withLock { state in
      if let told = state.toldAt, now - told < Self.milliseconds {
        state.untold += 1
        return nil
      }
      state.toldAt = now
      defer { state.untold = 0 }
      return state.untold
    }
    guard let others else { return wait }
    let more = others == 0 ? "" : " (\(others) more since the last such line, from any address)"
    let status = (wait == nil ? ProblemCode.unauthenticated : .rateLimited).status
    let line = "no valid token from \(client.map(\.description) ?? "a Unix socket"): \(status)\(more)"
    if let request { log.info(line, [RequestID.logField: request.text]) } else { log.info(line) }
    return wait
  }
}
