internal import HTTPClient
internal import WebPushCrypto

/// Sends wakes to push servers (RFC 8030 §5), each once.
///
/// A few threads run all transfers over connections that are kept and bounded, in all and per origin. Each origin
/// belongs to one of them, with its connections, its turn and its pauses, and origins of one thread take turns.
/// Names are resolved on threads of their own, every address is judged by the policy before a connection is made,
/// again when a socket is opened, and again when a request is about to go.
package final class PushSender: Sendable {
  private let policy: AddressPolicy
  /// One for each thread.
  private let mailboxes: [PushMailbox]
  private let graceMilliseconds: Int
  private let known = KnownOrigins()

  /// Whether a file of authorities can be used, as a sender looks at it when it is made.
  package static func check(caFile: String) throws(PushDeliveryError) { try CertificateFile.check(caFile) }

  /// A sender that works at once. A file of certificates that cannot be used is refused.
  package init(policy: AddressPolicy, configuration: PushSenderConfiguration) throws(PushDeliveryError) {
    if let caFile = configuration.caFile { try CertificateFile.check(caFile) }
    self.policy = policy
    graceMilliseconds = configuration.totalTimeoutMilliseconds
    let share = configuration.shareOfLoop
    var mailboxes: [PushMailbox] = []
    do throws(CurlFailure) {
      for _ in 0..<configuration.loopsInUse {
        mailboxes.append(try PushSenderThread.start(policy: policy, configuration: share))
      }
    } catch {
      for mailbox in mailboxes { mailbox.close(graceMilliseconds: 0) }
      throw .library(error.description)
    }
    self.mailboxes = mailboxes
  }

  deinit { for mailbox in mailboxes { mailbox.close(graceMilliseconds: 0) } }

  /// Makes one attempt and says what came of it, in every case.
  ///
  /// Returns when the push server has answered, or when the attempt is over without an answer. The text of the
  /// endpoint is judged anew: what was permitted when it was registered may be so no more.
  package func send(_ message: WakeMessage) async -> PushAnswer {
    let destination: Destination
    if let known = known.destination(of: message.endpoint) {
      destination = known
    } else {
      do throws(EndpointRefusal) {
        destination = try policy.destination(from: message.endpoint.url)
      } catch {
        return PushAnswer(outcome: .blocked, reason: PushReason.printable(error.detail))
      }
      known.keep(destination)
    }
    return await withCheckedContinuation { continuation in
      let job = PushJob(message: message, destination: destination, continuation: continuation)
      if !mailbox(of: destination.origin).leave(job) {
        continuation.resume(
          returning: PushAnswer(outcome: .crowded, reason: NetworkReason.notSentBeforeStop))
      }
    }
  }

  /// Takes no more wakes, lets those that were taken end within `graceMilliseconds` (the time of one attempt where
  /// none is named), answers the rest, and returns when the sender's threads are done.
  package func shutdown(graceMilliseconds: Int? = nil) async {
    let grace = graceMilliseconds ?? self.graceMilliseconds
    for mailbox in mailboxes { mailbox.close(graceMilliseconds: grace) }
    for mailbox in mailboxes { await mailbox.waitForEnd() }
  }

  /// That of the thread which the origin belongs to, by FNV-1a: the same for its whole life.
  private func mailbox(of origin: String) -> PushMailbox {
    let hash = origin.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    // The upper half: the lowest bit of this hash is but the parity of the text.
    return mailboxes[Int(hash >> 32) % mailboxes.count]
  }
}
