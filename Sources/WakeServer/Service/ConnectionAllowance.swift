internal import Glibc
internal import HTTPListener

/// How many connections everybody together may have open where the system gives the process few descriptors: strangers
/// must not use up those that wakes, the store and the operator need.
enum ConnectionAllowance {
  /// 256 wakes under way, 128 names that are looked up, the store's files, the other listeners and their connections.
  static let reserved = 512
  /// With fewer the service does not start: it has some 35 open before anybody calls, and connections and surplus at their
  /// least are 80.
  static let descriptorsMinimum = 128
  /// However few there are.
  static let minimum = 16

  /// - Parameter descriptors: what the process may have open at once.
  static func connections(wanted: Int, descriptors: Int) -> Int {
    let share = max(descriptors - reserved, descriptors / 2) - HTTPLimits.surplusConnections
    return min(wanted, max(minimum, share))
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
