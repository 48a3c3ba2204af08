internal import EndpointRegistry
internal import PushDelivery

/// Waits for the receipt of a wake that a push server took.
struct ReceiptCheck {
  /// How long is waited unless somebody says otherwise: a phone that sleeps wakes up in a few seconds.
  static let secondsUsual = 30
  /// And how long at most: what an operator watches for.
  static let secondsMaximum = 300
  /// The same for a companion, which holds one of the places meanwhile: twice as long as is usual.
  static let secondsMaximumOfCompanions = 60
  /// Between two looks at the row.
  private static let pause = Duration.milliseconds(200)

  let store: any RegistryStore
  let seconds: Int
  /// The origin; nil where nothing is made of it.
  var pushServer: String?
  /// What program it is, where its answer showed that.
  var kind: PushServerKind?

  func finding(
    of attempt: AttemptID, to device: DeviceID, whileWanted isWanted: () -> Bool
  ) async throws(RegistryError) -> DoctorFinding {
    guard seconds > 0 else {
      return .skipped(.receipt, "not waited for: whether the phone got the wake was not looked at")
    }
    let watch = Stopwatch()
    while isWanted() {
      let rows = try await store.attempts(AttemptFilter(device: device), before: attempt + 1, limit: 1)
      if let row = rows.first, row.id == attempt, let receiptAt = row.receiptAt {
        let took = Int(max(0, receiptAt - row.at))
        return DoctorFinding.ok(.receipt, "the phone handed it back").took(took)
      }
      guard watch.milliseconds < seconds * 1_000, !Task.isCancelled else { break }
      try? await Task.sleep(for: Self.pause)
    }
    return DoctorFinding.fault(
      .receipt, "none within \(seconds) s", .noReceipt(pushServer: pushServer, kind: kind)
    ).took(watch.milliseconds)
  }
}
