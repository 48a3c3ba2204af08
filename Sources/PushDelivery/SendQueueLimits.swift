/// How much a `SendQueue` lets run and wait at the same time.
struct SendQueueLimits {
  /// Items that run, in all.
  let running: Int
  /// Of those, items of origins that do not answer as far as is known: the unknown and the silent ones together.
  /// The rest of the places is left for those that answer.
  let runningUnanswered: Int
  /// Of those, items of silent origins. The rest of the places is left for those that were not tried yet.
  let runningSilent: Int
  /// Items of one origin that run while it answers, …
  let perOrigin: Int
  /// … while it is unknown, …
  let perUnknownOrigin: Int
  /// … and while it is silent.
  let perSilentOrigin: Int
  /// Items that wait, in all.
  let waiting: Int
  /// Of those, items of silent origins.
  let waitingSilent: Int
  /// Items of one origin that wait when it falls silent.
  let waitingPerSilentOrigin: Int

  /// How many items of one origin may run.
  func places(of standing: OriginStanding) -> Int {
    switch standing {
    case .answering: perOrigin
    case .unknown: min(perOrigin, perUnknownOrigin)
    case .silent: min(perOrigin, perSilentOrigin)
    }
  }
}
