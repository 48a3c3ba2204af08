package import WebPushCrypto

/// Everything that a wake to one device needs. It holds secrets in the clear: not to be kept.
package struct WakeTarget: Sendable, Redacted {
  /// The device.
  package let device: DeviceID
  /// Its stack.
  package let stack: StackID
  /// Endpoint and keys of the subscription in use.
  package let subscription: PushSubscription
  /// The key that the subscription was made with.
  package let vapidKey: VAPIDKeyPair
  /// 32 octets, the same for every wake to this endpoint: what `Topic` is made from.
  package let topicSecret: [UInt8]
  /// 16 octets, keyed: names the endpoint to an ``Erasure``, on every stack.
  package let endpointDigest: [UInt8]
  /// The pauses that concern this endpoint.
  package let hold: WakeHold
  /// The store-wide count of subscription changes when this subscription was last changed…
  package let changed: Int64
  /// …and when this was read: an erasure touches nothing newer.
  package let generation: Int64
  /// `mv`: the version of the stack's kinds.
  package let catalogueVersion: String

  /// All members, for stores and tests.
  package init(
    device: DeviceID, stack: StackID, subscription: PushSubscription, vapidKey: VAPIDKeyPair,
    topicSecret: [UInt8], endpointDigest: [UInt8], hold: WakeHold = WakeHold(), changed: Int64,
    generation: Int64, catalogueVersion: String
  ) {
    self.device = device
    self.stack = stack
    self.subscription = subscription
    self.vapidKey = vapidKey
    self.topicSecret = topicSecret
    self.endpointDigest = endpointDigest
    self.hold = hold
    self.changed = changed
    self.generation = generation
    self.catalogueVersion = catalogueVersion
  }
}
