import Foundation
import Synchronization
import WakeServer

/// The signals that a process is spoken to by.
enum Signals {
  /// Those that ask it to end.
  static let end = [SIGTERM, SIGINT]

  /// Where the handler writes, since it may do little else (signal-safety(7)).
  private static let descriptor = Atomic<Int32>(-1)

  /// Whether those of `end` still end the process by themselves: nothing has begun that has to be ended in order.
  private static let isStarting = Atomic(false)

  /// The signals of these numbers, as they come; from the moment of the return on none of them kills the process, and
  /// none is lost. To be called once. (A signal source of Dispatch is set up a little later than it says, and what comes
  /// before is.)
  ///
  /// - Parameter whileStarting: until ``started()`` those that ask the process to end do so at once, with exit code 0.
  static func coming(
    _ numbers: [Int32], whileStarting: Bool = false
  ) throws(CommandError) -> AsyncStream<Int32> {
    isStarting.store(whileStarting, ordering: .sequentiallyConsistent)
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .failed("no pipe can be made: \(String(errno: errno))") }
    let reading = ends[0]
    descriptor.store(ends[1], ordering: .sequentiallyConsistent)
    for number in numbers {
      signal(number) { number in
        var octet = UInt8(truncatingIfNeeded: number)
        let kept = errno
        _ = unsafe write(Signals.descriptor.load(ordering: .sequentiallyConsistent), &octet, 1)
        errno = kept
      }
    }
    let (came, continuation) = AsyncStream<Int32>.makeStream()
    Thread.detachNewThread {
      var octet: UInt8 = 0
      while true {
        let count = unsafe read(reading, &octet, 1)
        if count == 1 {
          let number = Int32(octet)
          if end.contains(number), isStarting.load(ordering: .sequentiallyConsistent) { _exit(EXIT_SUCCESS) }
          continuation.yield(number)
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
    return came
  }

  /// There is something now that has to be ended in order.
  static func started() { isStarting.store(false, ordering: .sequentiallyConsistent) }

  /// Ends when SIGTERM or SIGINT comes.
  static func theEnd() throws(CommandError) -> Task<Void, Never> {
    let came = try coming(end)
    return Task { for await _ in came { return } }
  }
}
