/// The bounds of a store. Tests set other ones.
package struct StoreOptions: Sendable {
  /// How long another process's lock is waited for: longer than the five seconds within which no caller may see a
  /// failure, and shorter than the ten after which callers give up.
  package var busyTimeoutMilliseconds: Int32
  /// Changes that may wait for the writer: what it does in the busy timeout, at 5,000 a second, rounded up. Whoever is
  /// admitted is answered within about that time.
  package var queuedWritesMaximum: Int
  /// Changes that share one commit: what one connection's cache holds, and a few milliseconds for the first of them.
  package var batchMaximum: Int
  /// Reads that may wait: a quarter of that, since they are done in a fraction of the time.
  package var queuedReadsMaximum: Int
  /// Threads that read: two, so that a page of a fan-out does not hold up the look-up of a token.
  package var readers: Int
  /// How long opening waits for the check of the file: enough for 100,000 devices, and a part of the second within
  /// which a server has to be ready with any number.
  package var checkMilliseconds: Int
  /// Whether an older schema is led to the newest one. Only where no server of an earlier version works on the file.
  package var migrates: Bool
  /// Who is told how the store fares; nil for nobody.
  package var observer: StoreObserver?
  /// Steps to the newest schema.
  var migrations: [String]

  /// The bounds that the service runs with, except where named.
  package init(
    busyTimeoutMilliseconds: Int32 = 6_000, queuedWritesMaximum: Int = 32_768, batchMaximum: Int = 256,
    queuedReadsMaximum: Int = 8_192, readers: Int = 2, checkMilliseconds: Int = 200, migrates: Bool = true
  ) {
    self.busyTimeoutMilliseconds = busyTimeoutMilliseconds
    self.queuedWritesMaximum = queuedWritesMaximum
    self.batchMaximum = batchMaximum
    self.queuedReadsMaximum = queuedReadsMaximum
    self.readers = readers
    self.checkMilliseconds = checkMilliseconds
    self.migrates = migrates
    migrations = Schema.migrations
  }
}
