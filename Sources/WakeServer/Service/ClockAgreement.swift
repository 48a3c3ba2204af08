/// Tells whether the time of day can be believed: it and a clock that nobody sets should have gone on by the same time
/// since the service was started.
struct ClockAgreement: Sendable {
  /// More than a correction or a leap second, and little against the days after which rows are removed.
  static let disagreementMilliseconds: UInt64 = 60 * 60 * 1_000

  /// How far the time of day was ahead of the steady clock at the start.
  private let lead: Int64

  init(wall: Int64, steady: Int64) { lead = wall - steady }

  /// Whether the two clocks have not gone apart by more than an hour.
  func holds(wall: Int64, steady: Int64) -> Bool {
    ((wall - steady) - lead).magnitude <= Self.disagreementMilliseconds
  }
}
