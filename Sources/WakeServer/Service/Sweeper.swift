package import EndpointRegistry

/// Removes what has had its time, a little at a time, for as long as the service runs.
package struct Sweeper: Sendable {
  /// Between two rounds. What is removed has waited for days.
  static let pauseBetweenRounds = Duration.seconds(600)
  /// Between two steps: the writer spends a few per cent of its time on a sweep at most.
  static let pauseBetweenSteps = Duration.milliseconds(50)

  private let store: any RegistryStore
  private let retention: Retention
  private let clock: WallClock
  private let steady: SteadyTime
  private let agreement: ClockAgreement
  private let log: Log

  /// The two clocks are compared from now on.
  package init(
    store: any RegistryStore, retention: Retention, clock: WallClock, steady: SteadyTime, log: Log
  ) {
    self.store = store
    self.retention = retention
    self.clock = clock
    self.steady = steady
    self.log = log
    agreement = ClockAgreement(wall: clock.now(), steady: steady.now())
  }

  /// Sweeps until its task is cancelled.
  package func run() async {
    while !Task.isCancelled {
      do throws(RegistryError) {
        let removed = try await round()
        if !removed.isEmpty { log.info("swept: \(Self.sentence(removed))") }
      } catch {
        log.warning("a sweep ended early, the next one goes on: \(error)")
      }
      try? await Task.sleep(for: Self.pauseBetweenRounds)
    }
  }

  /// Goes once through the store, or as far as the clocks agree; rows removed by what they were.
  package func round() async throws(RegistryError) -> [SweepStep.Subject: Int] {
    var removed: [SweepStep.Subject: Int] = [:]
    var position: SweepPosition? = SweepPosition()
    while let from = position, !Task.isCancelled {
      let now = clock.now()
      guard agreement.holds(wall: now, steady: steady.now()) else {
        log.warning(
          "nothing is swept: the clock was set while the service ran; restart it if the time is right")
        return removed
      }
      let step = try await store.sweep(retention, from: from, at: now)
      removed.merge(step.removed) { $0 + $1 }
      position = step.next
      if position != nil { try? await Task.sleep(for: Self.pauseBetweenSteps) }
    }
    return removed
  }

  private static func sentence(_ removed: [SweepStep.Subject: Int]) -> String {
    SweepStep.Subject.allCases.compactMap { subject in removed[subject].map { "\($0) \(subject.rawValue)" } }
      .joined(separator: ", ")
  }
}
