internal import CryptoPrimitives
internal import EndpointRegistry
internal import KindCatalogue
internal import Synchronization
internal import WebPushCrypto

extension WakePipeline {
  /// Puts the rows of one page of a job's devices on disk: nothing of it has gone out before.
  func rows(for job: WakeJob, after: DeviceID?) async throws(RegistryError) -> WakePage {
    let entries = try await store.wakeTargets(
      of: job.stack, kind: job.kind, device: job.device, after: after, limit: Self.targetsPerPage)
    var ready: [(WakeTarget, String)] = []
    var rows: [NewAttempt] = []
    var unsent: [NewAttempt] = []
    for entry in entries {
      switch entry {
      case .ready(let target):
        let origin = target.subscription.endpoint.origin
        // Somebody waits for a test wake, and an activation happens once.
        let inAnyCase = job.purpose != .alert
        guard devicesUnderWay.withLock({ $0.begin(target.device, inAnyCase: inAnyCase) }) else {
          unsent.append(
            job.attempt(for: target.device, receipt: nil, pushServer: origin, outcome: .coalesced))
          continue
        }
        let receipt = Base64URL.encode(random(Self.receiptOctets))
        ready.append((target, receipt))
        rows.append(job.attempt(for: target.device, receipt: receipt, pushServer: origin))
      case .muted(let device):
        unsent.append(job.attempt(for: device, receipt: nil, pushServer: nil, outcome: .muted))
      case .faulty(let device):
        log.warning("device \(device) cannot be woken: its row cannot be read; it must register again")
      }
    }
    let attempts = try await begin(rows + unsent, ready.map(\.0.device))
    return WakePage(
      wakes: zip(attempts, ready).map { PreparedWake(attempt: $0, target: $1.0, receipt: $1.1) },
      next: entries.count == Self.targetsPerPage ? entries.last?.device : nil)
  }

  /// The rows' numbers; where they cannot be kept, nothing of `devices` is under way any more.
  private func begin(_ rows: [NewAttempt], _ devices: [DeviceID]) async throws(RegistryError) -> [AttemptID] {
    guard !rows.isEmpty else { return [] }
    do throws(RegistryError) {
      return try await store.beginAttempts(rows, at: clock.now())
    } catch {
      devicesUnderWay.withLock { for device in devices { $0.end(device) } }
      throw error
    }
  }
}
