internal import Glibc

/// How many processors this machine has for us.
enum ProcessorCount {
  /// At least one.
  static let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
}
