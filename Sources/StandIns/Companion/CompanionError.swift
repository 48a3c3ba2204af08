/// What keeps a companion from its work, in words without a secret.
package enum CompanionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The service did not answer, or its certificate is not the pinned one.
  case unreachable(String)
  /// 401 or 410: this registration is over.
  case ended(status: Int)
  /// No stack has a registration that lives.
  case nonePaired
  /// 429 or 503: not now; the pause that the service asked for.
  case busy(status: Int, retryAfterSeconds: Int?)
  /// Any other answer that is not a success, and the code of its problem.
  case refused(status: Int, code: String?)
  /// An answer that is not of the form that the contract gives it.
  case malformed(String)
  /// The state file cannot be read or written.
  case file(String)
  /// Nobody said where the state file is.
  case fileUnnamed
  /// There is no state file.
  case fileMissing(path: String)
  /// The state file is not one.
  case fileDamaged(path: String)
  /// Another companion works with the state file.
  case fileInUse(path: String)
  /// The address to receive wakes at cannot be had.
  case cannotListen(String)
  /// OpenSSL failed.
  case cryptography
  /// What is said cannot be written.
  case output
  /// Whoever is told has heard enough.
  case stopped

  /// A sentence for a person.
  package var description: String {
    switch self {
    case .unreachable(let reason): "the service could not be asked: \(reason)"
    case .ended(let status):
      "the service answered \(status): this registration is over; pair again"
    case .nonePaired: "no registration is left; pair again by a new link of `wake pair`"
    case .busy(let status, _): "the service answered \(status): not now"
    case .refused(let status, let code): "the service answered \(status)\(code.map { ", \($0)" } ?? "")"
    case .malformed(let what): "the service answered \(what)"
    case .file(let fault): fault
    case .fileUnnamed: "no state file was named"
    case .fileMissing(let path): "there is no companion at \(path); `wake companion pair` makes one"
    case .fileDamaged(let path): "\(path) is not the state of a companion; it was left as it is"
    case .fileInUse(let path): "another `wake companion` works with \(path)"
    case .cannotListen(let reason): "wakes cannot be received: \(reason)"
    case .cryptography: "OpenSSL failed; check its configuration"
    case .output: "standard output cannot be written"
    case .stopped: "it was told to stop"
    }
  }

  /// Whether it is worth trying again by itself.
  var isPassing: Bool {
    switch self {
    case .unreachable, .busy: true
    case .refused(let status, _): status >= 500
    default: false
    }
  }

  /// Seconds that the service asked to wait, at most an hour.
  var retryAfterSeconds: Int? {
    guard case .busy(_, let seconds?) = self else { return nil }
    return min(max(0, seconds), CompanionBackoff.requestedMaximum / 1_000)
  }
}
