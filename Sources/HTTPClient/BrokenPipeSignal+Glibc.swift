internal import Glibc

/// `SIGPIPE`, which ends the process when a peer has closed the connection that is written to.
///
/// libcurl leaves it alone where `CURLOPT_NOSIGNAL` is set, as threads demand, and OpenSSL writes without
/// `MSG_NOSIGNAL`.
package enum BrokenPipeSignal {
  /// Makes such a write an error instead (`EPIPE`), on the calling thread and for its life.
  package static func blockOnThisThread() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
