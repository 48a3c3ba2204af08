/// What the push servers of some attempts answered: of each, for each stack, what its newest attempt came to.
struct PushServerAnswers {
  /// What one push server said to one stack's wakes.
  struct Newest {
    /// The stack's serial.
    let stack: Int64
    let origin: String
    /// Of the newest attempt, and when that was begun.
    var result: AttemptResult
    var begunAt: Int64
    /// When the last one was begun that it accepted; nil where it accepted none.
    var acceptedAt: Int64?
  }

  private struct Key: Hashable {
    let stack: Int64
    let origin: String
  }

  private var answers: [Key: Newest] = [:]

  /// One for each stack and push server, in no order.
  var newest: some Collection<Newest> { answers.values }

  /// Adds what came of an attempt, in whatever order they come.
  mutating func add(_ result: AttemptResult, from origin: String, stack: Int64, begunAt: Int64) {
    let acceptedAt = result.outcome == .accepted ? begunAt : nil
    let new = Newest(
      stack: stack, origin: origin, result: result, begunAt: begunAt, acceptedAt: acceptedAt)
    let key = Key(stack: stack, origin: origin)
    guard var known = answers[key] else {
      answers[key] = new
      return
    }
    if known.result.id < result.id { (known.result, known.begunAt) = (result, begunAt) }
    known.acceptedAt = [known.acceptedAt, acceptedAt].compactMap { $0 }.max()
    answers[key] = known
  }
}
