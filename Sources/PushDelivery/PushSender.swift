internal import HTTPClient
internal import WebPushCrypto

/// Sends wakes to push servers (RFC 8030 §5), each once.
///
/// One thread runs all transfers over connections that are kept and bounded, in all and per origin; origins take
/// turns. Names are resolved on threads of their own, every address is judged by the policy before a connection
/// is made, again when a socket is opened, and again when a request is about to go.
package final class PushSender: Sendable {
  private let policy: AddressPolicy
  private let mailbox: PushMailbox
  private let graceMilliseconds: Int

  /// A sender that works at once. A file of certificates that cannot be used is refused.
  package init(policy: AddressPolicy, configuration: PushSenderConfiguration) throws(PushDeliveryError) {
    if let caFile = configuration.caFile { try CertificateFile.check(caFile) }
    self.policy = policy
    graceMilliseconds = configuration.totalTimeoutMilliseconds
    let wakeup = CurlMultiWakeup()
    mailbox = PushMailbox(wakeup: wakeup)
    do throws(CurlFailure) {
      try PushSenderThread.start(
        policy: policy, configuration: configuration, mailbox: mailbox, wakeup: wakeup)
    } catch {
      throw .library(error.description)
    }
  }

  deinit { mailbox.close(graceMilliseconds: 0) }

  /// Makes one attempt and says what came of it, in every case.
  ///
  /// Returns when the push server has answered, or when the attempt is over without an answer. The text of the
  /// endpoint is judged anew: what was permitted when it was registered may be so no more.
  package func send(_ message: WakeMessage) async -> PushAnswer {
    let destination: Destination
    do throws(EndpointRefusal) {
      destination = try policy.destination(from: message.endpoint.url)
    } catch {
      return PushAnswer(outcome: .blocked, reason: PushReason.printable(error.detail))
    }
    return await withCheckedContinuation { continuation in
      let job = PushJob(message: message, destination: destination, continuation: continuation)
      if !mailbox.leave(job) {
        continuation.resume(
          returning: PushAnswer(outcome: .crowded, reason: NetworkReason.notSentBeforeStop))
      }
    }
  }

  /// Takes no more wakes, lets those that were taken end within `graceMilliseconds` (the time of one attempt where
  /// none is named), answers the rest, and returns when the sender's threads are done.
  package func shutdown(graceMilliseconds: Int? = nil) async {
    mailbox.close(graceMilliseconds: graceMilliseconds ?? self.graceMilliseconds)
    await mailbox.waitForEnd()
  }
}
