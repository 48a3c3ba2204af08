/// Resolves a host name (ASCII, lower case, no trailing dot) to all of its addresses, best first. It may block:
/// it runs on a thread of its own.
package typealias NameResolver = @Sendable (_ name: String) throws(NameResolutionError) -> [IPAddress]

/// Why a name has no addresses.
package enum NameResolutionError: Error, Equatable, Sendable, CaseIterable {
  /// The name servers say that there is none.
  case noSuchName
  /// No name server answered.
  case noAnswer
  /// Anything else.
  case failed
  /// It took longer than the attempt may.
  case timedOut

  /// What the matter is and what to look at, for the operator.
  package var detail: String {
    switch self {
    case .noSuchName: "the push server's name does not exist, or has no address"
    case .noAnswer: "no name server answered; check the machine's name resolution"
    case .failed: "the push server's name could not be resolved"
    case .timedOut: "the push server's name was not resolved in time; check the machine's name resolution"
    }
  }
}
