import Foundation
import Synchronization
import WakeServer

/// The signals that ask a process to end.
enum Signals {
  /// Where the handler writes, since it may do little else (signal-safety(7)).
  private static let descriptor = Atomic<Int32>(-1)

  /// Ends when SIGTERM or SIGINT comes; from the moment of the return on neither kills the process, and none is
  /// lost. (A signal source of Dispatch is set up a little later than it says, and what comes before is.)
  static func theEnd() throws(CommandError) -> Task<Void, Never> {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .failed("no pipe can be made: \(String(errno: errno))") }
    let reading = ends[0]
    descriptor.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGTERM, SIGINT] {
      signal(number) { _ in
        var octet: UInt8 = 0
        _ = unsafe write(Signals.descriptor.load(ordering: .sequentiallyConsistent), &octet, 1)
      }
    }
    let (came, continuation) = AsyncStream<Void>.makeStream()
    Thread.detachNewThread {
      var octet: UInt8 = 0
      while unsafe read(reading, &octet, 1) < 0 && errno == EINTR {}
      continuation.finish()
    }
    return Task { for await _ in came {} }
  }
}
