/// The threads that read. A read sees every change whose caller has been answered.
final class StoreReaders: Sendable {
  private let queue: JobQueue<@Sendable (Session) -> Void>
  private let threads: [StoreThread]

  /// Starts the threads; `open` makes a connection for each.
  init(
    options: StoreOptions, open: @escaping @Sendable () throws(RegistryError) -> Session
  ) throws(RegistryError) {
    let queue = JobQueue<@Sendable (Session) -> Void>(countMaximum: options.queuedReadsMaximum)
    self.queue = queue
    var threads: [StoreThread] = []
    do throws(RegistryError) {
      for number in 1...max(options.readers, 1) {
        threads.append(
          try StoreThread(name: "store-reader-\(number)", open: open) { session in
            while let job = queue.take(upTo: 1).first { job(session) }
          })
      }
    } catch {
      queue.close()
      throw error
    }
    self.threads = threads
  }

  deinit { queue.close() }

  /// Reads that wait.
  var waitingCount: Int { queue.count }

  /// What `work` reads.
  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Session) throws(RegistryError) -> Value
  ) async throws(RegistryError) -> Value {
    let result: Result<Value, RegistryError> = await withCheckedContinuation { continuation in
      do throws(RegistryError) {
        try queue.add { session in
          do throws(RegistryError) {
            continuation.resume(returning: .success(try work(session)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Finishes what waits and lets go of the file.
  func close() async {
    queue.close()
    for thread in threads { await thread.join() }
  }
}
