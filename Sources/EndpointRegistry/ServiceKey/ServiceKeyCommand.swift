internal import Glibc

/// A shell command that prints the service key. Its standard error and its terminal are ours, so that it can ask for a
/// passphrase; it may take as long as its user does.
enum ServiceKeyCommand {
  /// What the command printed, of which more than a key needs is a failure.
  static func run(_ command: String) throws(RegistryError) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw failure("no pipe could be made") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let process: pid_t
    do throws(RegistryError) {
      process = try spawn(command, output: ends[1])
    } catch {
      for end in ends { close(end) }
      throw error
    }
    close(ends[1])
    defer { close(ends[0]) }
    let output = read(ends[0])
    let status = wait(for: process)
    guard status == 0 else {
      throw failure("it ended with status \(status): run it by hand to see why")
    }
    guard !output.isEmpty else { throw failure("it printed nothing: it has to print one line") }
    guard output.count <= ServiceKeyText.lengthMaximum else {
      throw failure("it printed more than a key: it has to print one line")
    }
    return output
  }

  private static func spawn(_ command: String, output: Int32) throws(RegistryError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)

    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
      strdup("/bin/sh"), strdup("-c"), strdup(command), nil,
    ]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
    guard code == 0 else { throw failure("/bin/sh could not be started") }
    return process
  }

  /// Reads to the end, so that the command is not ended by a closed pipe, and keeps what a key can have and one more.
  private static func read(_ descriptor: Int32) -> [UInt8] {
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return output }
      output += buffer.prefix(min(count, ServiceKeyText.lengthMaximum + 1 - output.count))
    }
  }

  /// The exit status, or 128 and the signal's number, as a shell tells it.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  private static func failure(_ reason: String) -> RegistryError {
    .serviceKeyCommand("the service key command cannot be used: \(reason)")
  }
}
