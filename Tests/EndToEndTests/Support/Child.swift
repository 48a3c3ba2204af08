import Foundation
import Glibc

/// A process of this test run, started so that it shares nothing but the three standard files.
///
/// Foundation's `Process` lets a child that is started at the same moment inherit the socket by which it notices
/// another child's end, so that tests in parallel wait for each other's servers. This closes everything else in
/// the child, and waits on a thread of its own.
final class Child: Sendable {
  struct NotStarted: Error {
    let reason: String
  }

  /// Descriptors of the tests that a child must not have: the usual limit of a process.
  private static let descriptorsMaximum: Int32 = 1_024

  let pid: pid_t
  private let ended: Task<Int32, Never>

  /// Starts `program` with these descriptors as its standard files.
  init(_ program: Program, input: Int32, output: Int32, errors: Int32) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, standard) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
      posix_spawn_file_actions_adddup2(&actions, descriptor, standard)
    }
    // Closing what is not open is no error here.
    for descriptor in STDERR_FILENO + 1..<Self.descriptorsMaximum {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    // The thread that we are on may hold signals back, which the child would do as well.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // What the tests themselves were told is not for the program that they try.
    let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("WAKE_") }
      .merging(program.environment) { $1 }
    var arguments = ([program.path] + program.arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, program.path, &actions, &attributes, &arguments, &variables)
    guard result == 0 else {
      throw NotStarted(reason: "\(program.path): \(String(cString: strerror(result)))")
    }
    self.pid = pid
    let (exits, exit) = AsyncStream<Int32>.makeStream()
    let child = pid
    Thread.detachNewThread {
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0 && errno == EINTR {}
      let signal = status & 0x7f
      exit.yield(signal == 0 ? (status >> 8) & 0xff : -signal)
      exit.finish()
    }
    ended = Task { await exits.first { _ in true } ?? -1 }
  }

  /// Sends a signal to this process alone.
  func signal(_ number: Int32) { kill(pid, number) }

  /// Waits for its end: the exit code, or minus the signal.
  func exitCode() async -> Int32 { await ended.value }
}
