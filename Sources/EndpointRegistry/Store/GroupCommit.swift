internal import Glibc

/// The life of the thread that writes. Whatever waits shares one transaction and one commit; callers are answered when
/// the commit is on disk.
///
/// A job that fails takes its own changes back alone. Savepoints do that, and cost a copy of every page that a job
/// changes; most jobs do not fail, and most of those that do have changed nothing yet. So a batch is tried without
/// savepoints, and once more with them where that was not enough.
struct GroupCommit {
  let session: Session
  let queue: JobQueue<WriteJob>
  let options: StoreOptions

  /// How often a lock that another process holds is tried: a thousandth of the time that may pass, and often enough
  /// to find the gap between two commits of a busy server.
  private static let lockPollMicroseconds: UInt32 = 1_000

  private var database: Database { session.database }

  /// Works until the queue is closed and empty.
  func serve() {
    var held: [WriteJob] = []
    var carefully = false
    let reserve = LogReserve(ofStoreAt: database.path)
    while true {
      held +=
        held.isEmpty
        ? queue.take(upTo: options.batchMaximum)
        : queue.takeWaiting(upTo: options.batchMaximum - held.count)
      if held.isEmpty { return }
      // A sign of life is given at once, also while another process holds the store.
      for job in held where !job.writes { job.run(session).resume(nil) }
      held.removeAll { !$0.writes }
      if !held.allSatisfy(\.isOwed), !reserve.hasRoom {
        for job in held where !job.isOwed { job.fail(.storageFull) }
        held.removeAll { !$0.isOwed }
      }
      if held.isEmpty { continue }
      // Left open only where a rollback has failed.
      database.rollBack()
      do throws(RegistryError) {
        try database.run("BEGIN IMMEDIATE")
      } catch .busy {
        held = stillWaiting(held)
        usleep(Self.lockPollMicroseconds)
        continue
      } catch {
        for job in held { job.fail(error) }
        held = []
        continue
      }
      if commit(held, carefully: carefully) {
        held = []
        carefully = false
        reserve.keep()
      } else {
        carefully = true
      }
    }
  }

  /// The jobs that may wait for the lock a little longer; the others are told that it is held.
  private func stillWaiting(_ jobs: [WriteJob]) -> [WriteJob] {
    let limit = Duration.milliseconds(Int64(options.busyTimeoutMilliseconds))
    let now = ContinuousClock.now
    for job in jobs where job.since.duration(to: now) >= limit { job.fail(.busy) }
    return jobs.filter { $0.since.duration(to: now) < limit }
  }

  /// Does the jobs and answers them; false where they have to be done once more, carefully.
  private func commit(_ jobs: [WriteJob], carefully: Bool) -> Bool {
    let begun = ContinuousClock.now
    var done: [WriteJob.Done] = []
    for (index, job) in jobs.enumerated() {
      do throws(RegistryError) {
        guard let result = carefully ? try inSavepoint(job) : try bare(job) else {
          database.rollBack()
          return false
        }
        done.append(result)
      } catch {
        // The transaction is lost, and with it what the jobs before this one did.
        database.rollBack()
        for before in done { before.resume(error) }
        for notDone in jobs[index...] { notDone.fail(error) }
        return true
      }
    }
    do throws(RegistryError) {
      try database.run("COMMIT")
    } catch {
      database.rollBack()
      for job in done { job.resume(error) }
      return true
    }
    // Before anybody is answered: who then asks how many commits there were finds this one among them.
    options.observer?.committed(begun.duration(to: .now) / .seconds(1))
    for job in done { job.resume(nil) }
    return true
  }

  /// Runs one job; nil where it failed and has changed something. Throws where the whole transaction is lost.
  private func bare(_ job: WriteJob) throws(RegistryError) -> WriteJob.Done? {
    let before = database.totalChanges
    let done = job.run(session)
    guard let failure = done.failure else { return done }
    // After some failures (a full disk among them) SQLite has rolled everything back by itself.
    guard database.isInTransaction else { throw failure }
    return database.totalChanges == before ? done : nil
  }

  /// Runs one job so that its failure is its own. Throws where the whole transaction is lost.
  private func inSavepoint(_ job: WriteJob) throws(RegistryError) -> WriteJob.Done {
    try database.run("SAVEPOINT job")
    let done = job.run(session)
    if let failure = done.failure {
      guard database.isInTransaction else { throw failure }
      try database.run("ROLLBACK TO job")
    }
    try database.run("RELEASE job")
    return done
  }
}
