/// Some of a stack's alerts, from one to another. Not all between them need belong to it.
package struct AlertSpan: Sendable, Equatable {
  /// The oldest.
  package let first: AlertID
  /// The newest; the same as `first` where there is one alone.
  package let last: AlertID
  /// How many, at least 1.
  package let count: Int

  /// All members, for stores and tests.
  package init(first: AlertID, last: AlertID, count: Int) {
    self.first = first
    self.last = last
    self.count = count
  }

  /// These alerts and `later` ones, of which none is among them.
  func joined(with later: AlertSpan?) -> AlertSpan {
    guard let later else { return self }
    return AlertSpan(first: first, last: later.last, count: count + later.count)
  }
}

extension AlertSpan? {
  /// These alerts and `later` ones; nil where there are none at all.
  func joined(with later: AlertSpan?) -> AlertSpan? {
    map { $0.joined(with: later) } ?? later
  }
}
