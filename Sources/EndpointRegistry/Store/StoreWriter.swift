/// The one thread that changes the store, as its callers see it.
final class StoreWriter: Sendable {
  private let queue: JobQueue<WriteJob>
  private let thread: StoreThread
  private let observer: StoreObserver?

  /// Starts the thread; `open` makes its connection.
  init(
    options: StoreOptions, open: @escaping @Sendable () throws(RegistryError) -> Session
  ) throws(RegistryError) {
    let queue = JobQueue<WriteJob>(countMaximum: options.queuedWritesMaximum)
    self.queue = queue
    observer = options.observer
    let openWithoutWaiting = { @Sendable () throws(RegistryError) in
      let session = try open()
      // From here on `GroupCommit` waits for other processes' locks.
      try session.database.setBusyTimeout(milliseconds: 0)
      return session
    }
    thread = try StoreThread(name: "store-writer", open: openWithoutWaiting) { session in
      GroupCommit(session: session, queue: queue, options: options).serve()
    }
  }

  deinit { queue.close() }

  /// Changes that wait.
  var waitingCount: Int { queue.count }

  /// Does `work` inside a transaction and returns its result once that is on disk. Where `work` throws, nothing of
  /// it stays. `writes` false is for signs of life, which wait in the queue and touch nothing; `isOwed` true for what is
  /// done on a full disk too, as long as the log has room of its own.
  func perform<Value: Sendable>(
    writes: Bool = true, isOwed: Bool = false,
    _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value
  ) async throws(RegistryError) -> Value {
    let result: Result<Value, RegistryError> = await withCheckedContinuation { continuation in
      let job = WriteJob(writes: writes, isOwed: isOwed, work) { continuation.resume(returning: $0) }
      do throws(RegistryError) {
        try queue.add(job)
      } catch {
        job.fail(error)
      }
    }
    if case .failure(let error) = result { observer?.failed(error) }
    return try result.get()
  }

  /// Finishes what waits and lets go of the file.
  func close() async {
    queue.close()
    await thread.join()
  }
}
