/// One change, on its way to the writer and back.
struct WriteJob: Sendable {
  /// Whether it touches the store at all; a sign of life does not.
  let writes: Bool
  /// Whether it follows from what was acknowledged, or takes something away: it is done on a full disk too.
  let isOwed: Bool
  /// When it was asked for: how long it may wait for another process's lock counts from here.
  let since = ContinuousClock.now
  /// Does the work inside the open transaction and keeps its result; resumes nobody. It may be undone and done again.
  let run: @Sendable (Session) -> Done
  /// Answers the caller where the work was not begun.
  let fail: @Sendable (RegistryError) -> Void

  /// A change whose work is done and whose commit is not.
  struct Done {
    /// Why it failed; its own changes are then undone, and those of its neighbours stay.
    let failure: RegistryError?
    /// Answers the caller: with the result, or with why the commit failed.
    let resume: (RegistryError?) -> Void
  }

  /// A job that does `work` and gives `answer` its result, once.
  init<Value: Sendable>(
    writes: Bool = true, isOwed: Bool = false,
    _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value,
    answer: @escaping @Sendable (Result<Value, RegistryError>) -> Void
  ) {
    self.writes = writes
    self.isOwed = isOwed
    run = { session in
      let result: Result<Value, RegistryError>
      var failure: RegistryError?
      do throws(RegistryError) {
        result = .success(try work(session))
      } catch {
        result = .failure(error)
        failure = error
      }
      return Done(failure: failure) { commitFailure in
        answer(commitFailure.map { .failure($0) } ?? result)
      }
    }
    fail = { answer(.failure($0)) }
  }
}
