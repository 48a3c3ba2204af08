internal import HTTPClient

/// The bounds and doors of a `PushSender`.
package struct PushSenderConfiguration: Sendable {
  /// A file of certificates (PEM) that are trusted beside the system's: `WAKE_PUSH_CA_FILE`.
  package var caFile: String?
  /// How long trusted certificates are used before they are read anew.
  var authoritiesLifetime = TrustedAuthorities.usualLifetime
  /// A connection, TLS included, is made in this time or not at all.
  package var connectTimeoutMilliseconds = 5_000
  /// An attempt, from name resolution to the end of the answer.
  package var totalTimeoutMilliseconds = 10_000
  /// Threads that send, each with a share of the origins: a TLS handshake costs a millisecond of a core. Where there are
  /// more than four cores, the rest has enough to do with encryption and rows.
  package var loops = min(4, ProcessorCount.online)
  /// Attempts at the same time, and so connections. This and other bounds "in all" are shared out among the threads.
  package var attemptsMaximum = 256
  /// Of those, attempts to origins that do not answer as far as is known. A quarter is left for those that do: 64
  /// places at an answer in 20 ms are 3,200 wakes a second.
  var attemptsUnansweredMaximum: Int { max(1, attemptsMaximum * 3 / 4) }
  /// Of those, attempts to silent origins: 64 black holes are tried at the same time, and half of the places are left
  /// for who was never tried and may be well.
  var attemptsSilentMaximum: Int { max(1, attemptsMaximum / 4) }
  /// Attempts at the same time to one origin: what HTTP/1.1 needs to fill one core, and what a push server bears.
  package var attemptsPerOriginMaximum = 20
  /// The same for an origin of which nothing is known: one that turns out to be silent holds no more places.
  package var attemptsPerUnknownOriginMaximum = 2
  /// The same for a silent origin: enough to notice that it is back.
  package var attemptsPerSilentOriginMaximum = 1
  /// Wakes that wait for their turn on one thread: all may be for one origin, and the service has 16,384 under way at
  /// most. About 1.5 KiB each: 24 MiB at most for the service.
  package var waitingMaximum = 16_384
  /// Wakes that wait for silent origins, in all. The service has 16,384 under way at most: half is left for others.
  package var waitingSilentMaximum = 8_192
  /// Of those, wakes that wait for one origin when it falls silent: an attempt each ten seconds clears them in minutes.
  package var waitingPerSilentOriginMaximum = 32
  /// How long a connection may idle and still be used again. Common servers close theirs after 60 s or more; one that
  /// was closed before is noticed, but a request that meets the closing is lost, as it is not repeated.
  package var idleSeconds = 50
  /// Threads that resolve names. Each waits, for half a minute where no name server answers, and costs little else.
  package var resolverThreads = 128
  /// Names that wait to be resolved: four times the attempts, as a name may outlast those that asked for it.
  var resolvingMaximum: Int { attemptsMaximum * 4 }
  /// How long the addresses of a name are used before it is resolved anew.
  package var addressMilliseconds = AddressBook.usualLifetimeMilliseconds
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

extension PushSenderConfiguration {
  /// Threads that have something to do.
  var loopsInUse: Int { max(1, min(loops, attemptsMaximum)) }

  /// What one thread has of all that.
  var shareOfLoop: PushSenderConfiguration {
    var share = self
    share.attemptsMaximum = max(1, attemptsMaximum / loopsInUse)
    share.waitingSilentMaximum = max(1, waitingSilentMaximum / loopsInUse)
    share.resolverThreads = max(1, resolverThreads / loopsInUse)
    return share
  }

  /// The bounds of what runs and waits.
  var queueLimits: SendQueueLimits {
    SendQueueLimits(
      running: attemptsMaximum, runningUnanswered: attemptsUnansweredMaximum,
      runningSilent: attemptsSilentMaximum,
      perOrigin: attemptsPerOriginMaximum, perUnknownOrigin: attemptsPerUnknownOriginMaximum,
      perSilentOrigin: attemptsPerSilentOriginMaximum, waiting: waitingMaximum,
      waitingSilent: waitingSilentMaximum, waitingPerSilentOrigin: waitingPerSilentOriginMaximum)
  }

  /// The same for names: three quarters of the threads for those that are not known to resolve, a quarter for those
  /// that hung when they were asked for last; each is asked for once.
  var resolverLimits: SendQueueLimits {
    SendQueueLimits(
      running: resolverThreads, runningUnanswered: max(1, resolverThreads * 3 / 4),
      runningSilent: max(1, resolverThreads / 4), perOrigin: 1, perUnknownOrigin: 1, perSilentOrigin: 1,
      waiting: resolvingMaximum, waitingSilent: resolvingMaximum / 2, waitingPerSilentOrigin: 1)
  }
}
