package import EndpointRegistry

/// Reads the store's state for scrapers, no more often than is good for those who wake.
package actor StateReader {
  /// How long a reading is told again. Of 100,000 devices one takes half a second of a thread that reads.
  static let freshMilliseconds: Int64 = 15_000

  /// Reads the state at a time of day.
  package typealias Read = @Sendable (_ at: Int64) async throws(RegistryError) -> StoreOverview

  private let clock: WallClock
  private let steady: SteadyTime
  private let read: Read
  private var last: (overview: StoreOverview?, at: Int64)?
  private var reading: Task<StoreOverview?, Never>?

  package init(clock: WallClock, steady: SteadyTime, read: @escaping Read) {
    self.clock = clock
    self.steady = steady
    self.read = read
  }

  /// What is known of the state, at most ``freshMilliseconds`` old; nil where the store could not be read. Who asks
  /// while it is read waits for the same reading.
  package func overview() async -> StoreOverview? {
    if let last, steady.now() - last.at < Self.freshMilliseconds { return last.overview }
    if let reading { return await reading.value }
    let task = Task { [read, clock] () -> StoreOverview? in try? await read(clock.now()) }
    reading = task
    let overview = await task.value
    last = (overview, steady.now())
    reading = nil
    return overview
  }
}
