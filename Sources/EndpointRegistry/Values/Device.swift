package import KindCatalogue

/// One registration of a companion with one stack, as it may be shown: no endpoint, no keys.
package struct Device: Sendable, Equatable {
  /// Its identity.
  package let id: DeviceID
  /// The stack that it listens to.
  package let stack: StackID
  /// What people call that stack.
  package let stackLabel: String
  /// What people call the phone.
  package let label: String?
  /// What is known of its delivery.
  package let delivery: DeliveryFacts
  /// Origin of the subscription in use; nil where there is none.
  package let pushServer: String?
  /// Whether the subscription in use is a stand-in.
  package let temporary: Bool
  /// Kinds that wake nobody there, in list order.
  package let muted: [Kind]
  /// When it was first registered.
  package let since: Int64
  /// When the last wake that went out to it was begun.
  package let lastWakeAt: Int64?
  /// When it last handed a receipt back.
  package let lastReceiptAt: Int64?
  /// When and how its endpoint died, until a new one comes.
  package let gone: Gone?
  /// Eight hex digits of a keyed digest of the endpoint in use, to tell two apart; nil where there is none.
  package let endpointDigest: String?

  /// All members, for stores and tests.
  package init(
    id: DeviceID, stack: StackID, stackLabel: String, label: String?, delivery: DeliveryFacts,
    pushServer: String?, temporary: Bool, muted: [Kind], since: Int64, lastWakeAt: Int64?,
    lastReceiptAt: Int64?, gone: Gone?,
    endpointDigest: String?
  ) {
    self.id = id
    self.stack = stack
    self.stackLabel = stackLabel
    self.label = label
    self.delivery = delivery
    self.pushServer = pushServer
    self.temporary = temporary
    self.muted = muted
    self.since = since
    self.lastWakeAt = lastWakeAt
    self.lastReceiptAt = lastReceiptAt
    self.gone = gone
    self.endpointDigest = endpointDigest
  }

  /// What that amounts to at the time `at`: a device turns silent by nothing but time.
  package func state(at: Int64) -> DeviceState { DeviceState(of: delivery, at: at) }
}
