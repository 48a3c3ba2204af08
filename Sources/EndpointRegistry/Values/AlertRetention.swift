/// How long alerts are kept.
package enum AlertRetention {
  /// The newest are kept, however old they are.
  package static let alerts = 200
  /// Others are kept for a week.
  package static let seconds: Int64 = 7 * 24 * 60 * 60
  /// More than this are never kept, however new they are: 160 MB a stack at 16 KiB each.
  package static let alertsMaximum = 10_000
}
