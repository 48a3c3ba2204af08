/// The endpoints that push servers called gone since this process began: what a wake that was on its way already, to the
/// same endpoint, has to learn before it is sent. Pure rules.
struct GoneEndpoints {
  /// Endpoints that are remembered. One that is forgotten is erased from the store meanwhile, or is asked once more.
  static let entriesMaximum = 65_536

  /// For each, the latest moment of which it is known.
  private var moments: [[UInt8]: Int64] = [:]

  /// A wake to a subscription as it was at that moment found it gone.
  mutating func found(_ endpointDigest: [UInt8], at moment: Int64) {
    if moments.count >= Self.entriesMaximum { moments.removeAll(keepingCapacity: true) }
    moments[endpointDigest] = max(moment, moments[endpointDigest] ?? .min)
  }

  /// Whether a subscription that was last changed at `changed` is known to be gone. One that was changed later may live.
  func have(_ endpointDigest: [UInt8], changed: Int64) -> Bool {
    moments[endpointDigest].map { changed <= $0 } ?? false
  }
}
