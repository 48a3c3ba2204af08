/// What a route is held to, for each token.
package enum RateLimit: Sendable, CaseIterable {
  /// What a core writes.
  case hook
  /// A registration is made, changed or ended.
  case changes
  /// A companion asks for a test wake.
  case tests
  /// A companion asks for an examination, which sends a wake too.
  case examinations

  /// How often a companion may be examined: as often as it may ask for test wakes unless told otherwise.
  package static let examinationsRate = Rate.perMinute(6)

  /// How often it may be; nil where nothing holds it.
  func rate(of rates: Rates) -> Rate? {
    switch self {
    case .hook: rates.hook
    case .changes: rates.changes
    case .tests: rates.tests
    case .examinations: Self.examinationsRate
    }
  }

  /// What is told to who goes beyond it.
  func detail(_ rate: Rate) -> String {
    let limit =
      switch self {
      case .hook: "A hook token may be used for alerts and kinds"
      case .changes: "A registration may be made, changed or ended"
      case .tests: "A device may ask for a test wake"
      case .examinations: "A device may be examined"
      }
    return "\(limit) \(rate.text). Wait for the seconds in Retry-After."
  }
}
