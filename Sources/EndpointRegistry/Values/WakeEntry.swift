/// One device of a fan-out: ready to be woken, or left out for a reason that a row is written for.
package enum WakeEntry: Sendable {
  /// It is to be woken.
  case ready(WakeTarget)
  /// It mutes the kind.
  case muted(DeviceID)
  /// Its row cannot be opened or holds no valid key; the others are not harmed.
  case faulty(DeviceID)

  /// Whose entry it is: the last one's is where the next page starts.
  package var device: DeviceID {
    switch self {
    case .ready(let target): target.device
    case .muted(let device), .faulty(let device): device
    }
  }
}
