internal import EndpointRegistry
internal import HTTPListener
internal import Synchronization

/// Places for examinations that companions ask for: one for each device.
final class DoctorPlaces: Sendable {
  /// At the same time: each looks at a row five times a second while it waits for a receipt.
  private static let maximum = 64
  /// Seconds after which one is free at the latest: that of the longest wait, and of the wake before it.
  static let secondsMaximum =
    DoctorSettings.unreachedMillisecondsUsual / 1_000 + ReceiptCheck.secondsMaximumOfCompanions

  private let taken = Mutex<Set<DeviceID>>([])

  /// Takes the place of a device; refused where that has one, or there is none.
  func take(for device: DeviceID) throws(Problem) {
    let refusal: Problem? = taken.withLock { taken in
      guard !taken.contains(device) else {
        return .turnedAway(.examinationUnderWay, "Wait for its end, then look at what it found.")
      }
      guard taken.count < Self.maximum else {
        return .turnedAway(
          .unavailable, "Too many devices are examined just now. Wait for the seconds in Retry-After.",
          seconds: Self.secondsMaximum)
      }
      taken.insert(device)
      return nil
    }
    if let refusal { throw refusal }
  }

  /// Gives it back.
  func giveBack(of device: DeviceID) { taken.withLock { _ = $0.remove(device) } }
}

extension Problem {
  /// Nothing was looked at, for want of a place.
  fileprivate static func turnedAway(_ code: ProblemCode, _ detail: String, seconds: Int? = nil) -> Problem {
    var problem = Problem(code, detail)
    problem.isTurnedAway = true
    problem.headers = seconds.map { [("Retry-After", "\($0)")] } ?? []
    return problem
  }
}
