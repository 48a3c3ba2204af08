import Glibc

/// What a crash would leave on disk: a picture of the process' memory, with keys and tokens in it.
enum CoreDumps {
  /// Leaves out everything that the process has written to memory (core(5)).
  private static let filter = "/proc/self/coredump_filter"

  /// Has neither this process nor its children leave one. The limit is for files; a program that the system hands dumps to
  /// is not held by it, and gets one without memory.
  static func forbid() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let file = unsafe open(filter, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = unsafe write(file, "0", 1)
  }
}
