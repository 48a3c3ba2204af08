internal import HTTPListener

/// Places for examinations that companions ask for.
final class DoctorPlaces: Sendable {
  /// At the same time: each looks at a row five times a second while it waits for a receipt.
  private static let maximum = 64

  private let taken = Guarded(0)

  /// Takes a place; false where there is none.
  func take() -> Bool {
    taken.withLock { taken in
      guard taken < Self.maximum else { return false }
      taken += 1
      return true
    }
  }

  /// Gives the place back.
  func giveBack() { taken.withLock { $0 -= 1 } }
}
