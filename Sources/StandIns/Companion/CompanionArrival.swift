/// A message as it came to the companion's own push server: what such a server sees, and what it cannot see.
package struct CompanionArrival: Sendable {
  package let message: StandInPushServer.Message
  /// What the subscription's keys opened; nil where they open nothing.
  package let plaintext: [UInt8]?

  init(_ message: StandInPushServer.Message, to subscriptions: [CompanionSubscription]) {
    self.message = message
    plaintext = subscriptions.lazy.compactMap { $0.open(message.body) }.first
  }
}
