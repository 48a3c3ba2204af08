/// The one thread that changes the store. Whatever waits shares one transaction and one commit, each change in a
/// savepoint of its own; callers are answered when the commit is on disk.
final class StoreWriter: Sendable {
  private let queue: JobQueue<WriteJob>
  private let thread: StoreThread

  /// Starts the thread; `open` makes its connection.
  init(
    options: StoreOptions, open: @escaping @Sendable () throws(RegistryError) -> Session
  ) throws(RegistryError) {
    let queue = JobQueue<WriteJob>(countMaximum: options.queuedWritesMaximum)
    self.queue = queue
    thread = try StoreThread(name: "store-writer", open: open) { session in
      while case let jobs = queue.take(upTo: options.batchMaximum), !jobs.isEmpty {
        StoreWriter.commit(jobs, session)
      }
    }
  }

  deinit { queue.close() }

  /// Does `work` inside a transaction and returns its result once that is on disk. Where `work` throws, nothing of
  /// it stays. `writes` false is for signs of life, which wait in the queue and touch nothing.
  func perform<Value: Sendable>(
    writes: Bool = true, _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value
  ) async throws(RegistryError) -> Value {
    let result: Result<Value, RegistryError> = await withCheckedContinuation { continuation in
      let job = WriteJob(writes: writes, work) { continuation.resume(returning: $0) }
      do throws(RegistryError) {
        try queue.add(job)
      } catch {
        job.fail(error)
      }
    }
    return try result.get()
  }

  /// Finishes what waits and lets go of the file.
  func close() async {
    queue.close()
    await thread.join()
  }

  private static func commit(_ jobs: [WriteJob], _ session: Session) {
    let database = session.database
    do throws(RegistryError) {
      if jobs.contains(where: \.writes) { try database.run("BEGIN IMMEDIATE") }
    } catch {
      for job in jobs { job.fail(error) }
      return
    }
    var done: [WriteJob.Done] = []
    for (index, job) in jobs.enumerated() {
      do throws(RegistryError) {
        done.append(try job.writes ? inSavepoint(job, session) : job.run(session))
      } catch {
        // The transaction is lost, and with it what the jobs before this one did.
        database.rollBack()
        for before in done { before.resume(error) }
        for notDone in jobs[index...] { notDone.fail(error) }
        return
      }
    }
    do throws(RegistryError) {
      if database.isInTransaction { try database.run("COMMIT") }
    } catch {
      database.rollBack()
      for job in done { job.resume(error) }
      return
    }
    for job in done { job.resume(nil) }
  }

  /// Runs one job so that its failure is its own. Throws where the whole transaction is lost.
  private static func inSavepoint(
    _ job: WriteJob, _ session: Session
  ) throws(RegistryError) -> WriteJob.Done {
    let database = session.database
    try database.run("SAVEPOINT job")
    let done = job.run(session)
    if let failure = done.failure {
      // After some failures (a full disk among them) SQLite has rolled everything back by itself.
      guard database.isInTransaction else { throw failure }
      try database.run("ROLLBACK TO job")
    }
    try database.run("RELEASE job")
    return done
  }
}
