import Glibc

/// What the process may have open at once.
enum Descriptors {
  /// Raises the soft limit to the hard one: a limit of 1,024 is the shell's, for programs that use select(2).
  static func raiseLimit() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
