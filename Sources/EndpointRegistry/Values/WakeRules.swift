/// When a wake for an alert goes, as far as no stack says otherwise.
package struct WakeRules: Sendable, Equatable {
  /// The time within which one device gets one wake for alerts, where its stack names none.
  package var windowMilliseconds: Int64
  /// An alert that is older than this when its turn comes wakes nobody any more.
  package var freshMilliseconds: Int64

  /// Both members.
  package init(windowMilliseconds: Int64, freshMilliseconds: Int64) {
    self.windowMilliseconds = windowMilliseconds
    self.freshMilliseconds = freshMilliseconds
  }
}
