/// The bounds and doors of a `PushSender`.
package struct PushSenderConfiguration: Sendable {
  /// A file of certificates (PEM) that are trusted beside the system's: `WAKE_PUSH_CA_FILE`.
  package var caFile: String?
  /// A connection, TLS included, is made in this time or not at all.
  package var connectTimeoutMilliseconds = 5_000
  /// An attempt, from name resolution to the end of the answer.
  package var totalTimeoutMilliseconds = 10_000
  /// Attempts at the same time, and so connections. 100 silent push servers at two each leave a fifth free.
  package var attemptsMaximum = 256
  /// Attempts at the same time to one origin: what HTTP/1.1 needs to fill one core, and what a push server bears.
  package var attemptsPerOriginMaximum = 20
  /// The same for an origin that has not answered lately: a silent one may hold no more places than this.
  package var attemptsPerSilentOriginMaximum = 2
  /// Wakes that wait for their turn, in all. About 1.5 KiB each: 48 MiB at most.
  package var waitingMaximum = 32_768
  /// How long a connection may idle and still be used again. Common servers close theirs after 60 s or more,
  /// and a request that meets the closing of its connection is lost, as it is not repeated.
  package var idleSeconds = 50
  /// Threads that resolve names.
  package var resolverThreads = 8
  /// Resolves names.
  package var resolver: NameResolver = SystemResolver.resolve
  /// The wall clock, in milliseconds since 1970: what a `Retry-After` date is compared with, and pauses are of.
  package var nowMilliseconds: @Sendable () -> Int64
  /// 0 ..< 1: how much of the jitter a pause gets that no push server named.
  package var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// The defaults, with a clock.
  package init(nowMilliseconds: @escaping @Sendable () -> Int64) {
    self.nowMilliseconds = nowMilliseconds
  }
}
