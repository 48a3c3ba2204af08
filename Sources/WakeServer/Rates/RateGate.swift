/// Holds every token to the rates of the routes.
///
/// It stands behind authentication, so that no stranger uses up what is somebody's, and before a body is looked at, so
/// that a refusal costs next to nothing and changes nothing.
struct RateGate: Sendable {
  private struct Limiter: Sendable {
    let rate: Rate
    let keys: RateLimiter<RateKey>
  }

  private let limiters: [RateLimit: Limiter]
  private let steady: SteadyTime

  init(_ rates: Rates, steady: SteadyTime) {
    var limiters: [RateLimit: Limiter] = [:]
    for limit in RateLimit.allCases {
      limiters[limit] = limit.rate(of: rates).map { Limiter(rate: $0, keys: RateLimiter($0)) }
    }
    self.limiters = limiters
    self.steady = steady
  }

  /// Lets a caller through, or says when to come again.
  func pass(_ caller: Caller?, to route: Route) throws(Problem) {
    guard let limit = route.limit, let limiter = limiters[limit], let caller,
      let seconds = limiter.keys.take(RateKey(caller), at: steady.now())
    else { return }
    throw Problem.rateLimited(limit.detail(limiter.rate), seconds: seconds)
  }

  /// Takes a passage back that came to nothing.
  func giveBack(to caller: Caller?, of route: Route) {
    guard let limit = route.limit, let limiter = limiters[limit], let caller else { return }
    limiter.keys.giveBack(RateKey(caller))
  }
}

extension Problem {
  /// Too often; the seconds are those after which it is not.
  static func rateLimited(_ detail: String, seconds: Int) -> Problem {
    var problem = Problem(.rateLimited, detail)
    problem.headers = [("Retry-After", "\(seconds)")]
    return problem
  }
}
