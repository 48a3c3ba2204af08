/// How one push server fares with a stack's wakes.
package struct PushServerDelivery: Sendable, Equatable {
  /// Its origin.
  package let origin: String
  /// When the newest attempt was begun that it answered, or was asked for in vain; nil where none is known.
  package let lastAt: Int64?
  /// What came of that one.
  package let lastOutcome: AttemptOutcome?
  /// The status of that one, where one came.
  package let lastStatus: Int?
  /// A safe sentence for the operator.
  package let reason: String?
  /// When the newest attempt was begun that it accepted.
  package let lastAcceptedAt: Int64?
  /// Devices whose subscription in use is there now.
  package let devices: Int
  /// When the next wake may go to one of them; nil where one may go now.
  package let heldUntil: Int64?

  /// All members, for stores and tests.
  package init(
    origin: String, lastAt: Int64? = nil, lastOutcome: AttemptOutcome? = nil, lastStatus: Int? = nil,
    reason: String? = nil, lastAcceptedAt: Int64? = nil, devices: Int,
    heldUntil: Int64? = nil
  ) {
    self.origin = origin
    self.lastAt = lastAt
    self.lastOutcome = lastOutcome
    self.lastStatus = lastStatus
    self.reason = reason
    self.lastAcceptedAt = lastAcceptedAt
    self.devices = devices
    self.heldUntil = heldUntil
  }
}
