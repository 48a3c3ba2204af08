/// Where reading a stack's alerts starts.
struct AlertCursor: Equatable {
  /// The number after which reading starts; 0 is before the oldest.
  let after: Int64
  /// Why that is not where the cursor said, or nil.
  let gap: AlertGap?

  /// Reads `text` against what is kept: `oldest` of the kept alerts, if any, and the newest id ever given. `ended` are
  /// the last numbers of epochs before a restore: numbers go on from one epoch to the next.
  static func resolve(
    _ text: String?, oldest: AlertID?, newest: AlertID, ended: [String: Int64] = [:]
  ) -> AlertCursor {
    guard let text else { return AlertCursor(after: 0, gap: nil) }
    let refuse = { (reason: AlertGap.Reason) in
      AlertCursor(after: 0, gap: AlertGap(reason: reason, oldest: oldest, newest: newest))
    }
    guard let cursor = AlertID(text) else { return refuse(.malformed) }
    guard let last = cursor.epoch == newest.epoch ? newest.number : ended[cursor.epoch] else {
      return refuse(.unknown)
    }
    // Of an epoch that has ended: it names an alert that was raised after the backup and is lost.
    guard cursor.number <= last else { return refuse(.ahead) }
    // The next one after the cursor has to be kept still, or not to have been raised yet.
    guard cursor.number == newest.number || oldest.map({ $0.number &- 1 <= cursor.number }) == true else {
      return refuse(.expired)
    }
    return AlertCursor(after: cursor.number, gap: nil)
  }
}
