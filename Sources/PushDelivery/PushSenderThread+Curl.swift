internal import class Foundation.Thread
internal import CCurl
internal import HTTPClient
internal import Synchronization

/// The thread that a `PushSenderLoop` lives on.
enum PushSenderThread {
  /// Carries the multi handle from the thread that made it to the one that keeps it.
  private final class Handover: Sendable {
    let multi: Mutex<CurlMulti?>
    init(_ multi: consuming sending CurlMulti) { self.multi = Mutex(consume multi) }
  }

  /// Makes a multi handle and starts a thread that runs it until the mailbox, which is returned, is closed and
  /// everything answered.
  static func start(
    policy: AddressPolicy, configuration: PushSenderConfiguration
  ) throws(CurlFailure) -> PushMailbox {
    let wakeup = CurlMultiWakeup()
    let mailbox = PushMailbox(wakeup: wakeup)
    let multi = try CurlMulti()
    // Idle connections that are kept, in all: no more than there may be busy ones.
    try multi.set(CURLMOPT_MAXCONNECTS, configuration.attemptsMaximum)
    try multi.set(CURLMOPT_PIPELINING, CURLPIPE_NOTHING)
    wakeup.attach(multi)
    let handover = Handover(multi)
    let thread = Thread {
      run(handover, policy, configuration, mailbox, wakeup)
      mailbox.end()
    }
    thread.name = "push-sender"
    thread.start()
    return mailbox
  }

  private static func run(
    _ handover: Handover, _ policy: AddressPolicy, _ configuration: PushSenderConfiguration,
    _ mailbox: PushMailbox, _ wakeup: CurlMultiWakeup
  ) {
    BrokenPipeSignal.blockOnThisThread()
    guard let multi = handover.multi.withLock({ $0.take() }) else { return }
    let loop = PushSenderLoop(
      multi: multi, policy: policy, configuration: configuration, mailbox: mailbox)
    loop.run()
    // The handles are freed with the loop, here: nobody may wake the multi handle any more.
    wakeup.detach()
  }
}
