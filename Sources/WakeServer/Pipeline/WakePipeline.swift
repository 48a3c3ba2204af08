package import CryptoPrimitives
package import EndpointRegistry
package import KindCatalogue
package import PushDelivery
internal import WebPushCrypto

/// The way from a record to the nudge: rows on disk first, then one request a device, then what came of it.
///
/// Nothing is sent twice: an attempt is made once, whatever its answer, and there is no queue to retry from.
package final class WakePipeline: Nudge {
  /// Jobs that may wait. A job is some hundred octets; a core that raises 5,000 alerts a second (the contract's
  /// rate) fills this in 20 s while no push server answers. A wake beyond it is dropped: the record has the alert.
  static let waitingJobs = 100_000
  /// Jobs under way at once: enough that one silent push server, which holds a job for 10 s, delays no other.
  static let runningJobs = 4_096
  /// Devices on one page of a fan-out: one read and one commit for so many.
  static let targetsPerPage = 256
  /// Requests of one job under way at once.
  static let sendsPerJob = 1_024
  /// Random octets of a receipt: 22 base64url characters.
  static let receiptOctets = 16

  let store: any RegistryStore
  let sender: PushSender
  let tokens: VAPIDTokenCache
  let ttlSeconds: Int
  let clock: WallClock
  let random: RandomOctets
  let log: Log

  private let jobs: AsyncStream<WakeJob>
  private let waiting: AsyncStream<WakeJob>.Continuation

  package init(
    store: any RegistryStore, sender: PushSender, tokens: VAPIDTokenCache, ttlSeconds: Int, clock: WallClock,
    random: RandomOctets, log: Log
  ) {
    self.store = store
    self.sender = sender
    self.tokens = tokens
    self.ttlSeconds = ttlSeconds
    self.clock = clock
    self.random = random
    self.log = log
    (jobs, waiting) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingJobs))
  }

  package func alertRecorded(_ alert: AlertID, kind: Kind, of stack: StackID) {
    enqueue(.alert(alert, kind: kind, of: stack))
  }

  package func subscriptionChanged(_ device: DeviceID, of stack: StackID) {
    enqueue(.activation(device, of: stack))
  }

  /// Wakes one device now and tells what came of it; nil where it has no subscription.
  func test(_ device: DeviceID, of stack: StackID) async throws(RegistryError) -> AttemptID? {
    try await fanOut(.test(device, of: stack)).first
  }

  /// Works through the jobs until ``finish()``, then ends when the last one has.
  package func run() async {
    await withDiscardingTaskGroup { group in
      let places = AsyncSemaphore(places: Self.runningJobs)
      for await job in jobs {
        await places.take()
        group.addTask {
          await self.perform(job)
          places.giveBack()
        }
      }
    }
  }

  /// No job is taken any more; those that wait are still done.
  package func finish() { waiting.finish() }

  private func enqueue(_ job: WakeJob) {
    if case .dropped = waiting.yield(job) {
      log.error("too many wakes are waiting: one for stack \(job.stack) was dropped, its alert is kept")
    }
  }

  private func perform(_ job: WakeJob) async {
    do throws(RegistryError) {
      _ = try await fanOut(job)
    } catch {
      log.error("the wakes for stack \(job.stack) ended early: \(error)")
    }
  }
}
