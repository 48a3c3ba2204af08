package import KindCatalogue

/// What came of raising an alert.
package struct AppendedAlert: Sendable, Equatable {
  /// Its id, or the first one's where it is a repeat.
  package let id: AlertID
  /// Whether it repeats `ref` and `moment` of the newest kept alert with that `ref`: nobody is woken.
  package let isRepeat: Bool
  /// The kind on record.
  package let kind: Kind
  /// Whether it is to wake anybody: neither a repeat does, nor one that was to be quiet.
  package let wakes: Bool
  /// Devices that have a subscription and do not mute the kind; 0 where nobody is to be woken.
  package let deviceCount: Int

  /// All members, for stores and tests.
  package init(id: AlertID, isRepeat: Bool, kind: Kind, wakes: Bool, deviceCount: Int) {
    self.id = id
    self.isRepeat = isRepeat
    self.kind = kind
    self.wakes = wakes
    self.deviceCount = deviceCount
  }
}
