internal import Glibc

/// The one way from a POSIX result to our error.
enum SystemCall {
  /// The result, or the error that `errno` names where the result is negative.
  @discardableResult
  static func check(_ operation: String, _ result: Int32) throws(HTTPListenerError) -> Int32 {
    guard result >= 0 else { throw .system(operation: operation, code: errno) }
    return result
  }

  /// What the system calls an error number.
  static func message(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
