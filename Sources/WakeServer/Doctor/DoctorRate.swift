internal import EndpointRegistry
internal import Synchronization

/// How often a companion may ask for an examination, each of which sends a wake.
final class DoctorRate: Sendable {
  /// As many as test wakes in a minute (wire contract)…
  static let examinations = 6
  static let milliseconds: Int64 = 60_000
  /// …of devices that are remembered; with more at once, others wait.
  private static let devicesMaximum = 16_384

  /// Examinations for companions at the same time: each looks at a row five times a second while it waits for a receipt.
  private static let atOnce = 64

  private let asked = Mutex<[DeviceID: [Int64]]>([:])
  private let running = Mutex(0)

  /// Takes a place among those that run; false where there is none.
  func begin() -> Bool {
    running.withLock { running in
      guard running < Self.atOnce else { return false }
      running += 1
      return true
    }
  }

  /// Gives the place back.
  func end() { running.withLock { $0 -= 1 } }

  /// Takes one; nil where that may be, otherwise in how many seconds.
  func take(_ device: DeviceID, at: Int64) -> Int? {
    asked.withLock { asked in
      if asked.count >= Self.devicesMaximum {
        asked = asked.filter { $0.value.contains { Self.isRecent($0, at) } }
      }
      guard asked[device] != nil || asked.count < Self.devicesMaximum else { return Self.seconds }
      let lately = (asked[device] ?? []).filter { Self.isRecent($0, at) }
      guard lately.count < Self.examinations else {
        let left = (lately.first ?? at) + Self.milliseconds - at
        return max(1, Int((left + 999) / 1_000))
      }
      asked[device] = lately + [at]
      return nil
    }
  }

  private static let seconds = Int(milliseconds / 1_000)

  private static func isRecent(_ time: Int64, _ at: Int64) -> Bool {
    let (age, overflow) = at.subtractingReportingOverflow(time)
    return !overflow && (0..<milliseconds).contains(age)
  }
}
