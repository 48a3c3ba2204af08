/// What the doctor makes of a link.
package enum DoctorVerdict: String, Sendable, CaseIterable {
  /// It holds.
  case ok
  /// It holds, and something about it should be looked at.
  case warning
  /// It is broken: what came before holds.
  case fault
  /// It was not looked at, or follows from a fault before it.
  case skipped

  /// The graver of two; what was skipped says nothing.
  func graver(_ other: DoctorVerdict) -> DoctorVerdict {
    for verdict in [DoctorVerdict.fault, .warning] where self == verdict || other == verdict {
      return verdict
    }
    return .ok
  }
}
