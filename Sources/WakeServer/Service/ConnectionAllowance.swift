internal import Glibc
internal import HTTPListener

/// How many connections everybody together may have open where the system gives the process few descriptors, or little
/// memory: strangers must not use up what wakes, the store and the operator need.
enum ConnectionAllowance {
  /// 256 wakes under way, 128 names that are looked up, the store's files, the other listeners and their connections.
  static let reserved = 512
  /// With fewer the service does not start: it has some 35 open before anybody calls, and connections and surplus at their
  /// least are 80.
  static let descriptorsMinimum = 128
  /// Octets of what the process may have, as `MemoryMax=` sets it, that are no strangers': the service with all of its caches
  /// full took 66 MiB.
  static let reservedOctets = 72 * 1_048_576
  /// Octets of one connection: an idle stream by TLS takes 82 KiB, and the system some for what is on its way.
  static let connectionOctets = 98_304
  /// However few there are.
  static let minimum = 16

  /// - Parameters:
  ///   - descriptors: what the process may have open at once.
  ///   - memory: octets that it may have; nil where nobody set a limit.
  static func connections(wanted: Int, descriptors: Int, memory: Int? = nil) -> Int {
    let share = max(descriptors - reserved, descriptors / 2) - HTTPLimits.surplusConnections
    let affordable =
      memory.map { ($0 - reservedOctets) / connectionOctets - HTTPLimits.surplusConnections } ?? wanted
    return min(wanted, max(minimum, min(share, affordable)))
  }

  /// Throws where the process may have too few open to serve anybody.
  static func check(descriptors: Int = descriptors) throws(ServiceError) {
    guard descriptors < descriptorsMinimum else { return }
    throw .cannotStart(
      "the system lets the service have \(descriptors) files and connections open, and it needs \(descriptorsMinimum): "
        + "raise LimitNOFILE= of its unit (ulimit -n)")
  }

  /// The limit that this process has.
  static var descriptors: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
    return Int(clamping: limit.rlim_cur)
  }
}
