/// How the whole store stands, in numbers.
package struct StoreOverview: Sendable, Equatable {
  /// How many devices of all stacks are in each state; a state that none is in is left out.
  package var devices: [DeviceState: Int] = [:]
  /// Devices that are to be told of something and have not been.
  package var devicesWaiting = 0
  /// Stacks.
  package var stacks = 0
  /// Pauses in effect, of single endpoints and of whole push servers.
  package var endpointHolds = 0
  package var originHolds = 0
  /// When the last receipt came; nil where none ever did, or its device is no more.
  package var lastReceiptAt: Int64?
  /// When the first alert since then was raised that somebody is to be woken for.
  package var unansweredAlertAt: Int64?

  /// A store with nothing in it.
  package init() {}
}
