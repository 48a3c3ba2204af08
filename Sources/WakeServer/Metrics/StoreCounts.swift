internal import EndpointRegistry

/// How the store fared since the start. Pure values.
struct StoreCounts: Sendable {
  /// Why a change was not kept that should have been.
  private enum Reason: String, CaseIterable {
    case busy, full, other

    /// Nil where the store did as it should: what it refused was not there, or not allowed.
    init?(_ error: RegistryError) {
      switch error {
      case .busy: self = .busy
      case .storageFull: self = .full
      case .sqlite, .damaged, .file, .sealBroken, .cryptography: self = .other
      default: return nil
      }
    }
  }

  private var commits = Histogram(Histogram.commitBounds)
  private var failures: [Reason: UInt64] = [:]

  mutating func committed(seconds: Double) { commits.observe(seconds) }

  mutating func failed(_ error: RegistryError) {
    if let reason = Reason(error) { failures[reason, default: 0] += 1 }
  }

  func write(to exposition: inout Exposition) {
    exposition.write(.storeCommit, [.init([], .histogram(commits))])
    exposition.write(.storeFailures, Reason.allCases.map { .init([$0.rawValue], .count(failures[$0] ?? 0)) })
  }
}
