/// One attempt under way, from the moment that it was its turn.
struct PushAttempt {
  let job: PushJob
  /// When it began, by the steady clock.
  let startedAt: Int64
  /// When it ends, done or not.
  let deadline: Int64

  var destination: Destination { job.destination }
}
