package import EndpointRegistry
internal import HTTPListener
package import KindCatalogue
internal import StrictJSON

/// Raises an alert: keeps it, answers, then nudges. One way in for cores and for the operator.
package struct SendHook: Sendable {
  let store: any RegistryStore
  let nudge: any Nudge
  let feeds: AlertFeeds
  let metrics: ServiceMetrics

  /// Returns once the alert is on disk; no push server has been asked by then, and none can make this fail.
  func raise(_ request: AlertRequest, for stack: StackID, at: Int64) async throws(Problem) -> HTTPResponse {
    let kept = try await registry { () async throws(RegistryError) in
      try await store.appendAlert(request.alert, to: stack, at: at)
    }
    if !kept.isRepeat {
      metrics.alertRecorded(kept.kind)
      feeds.recordGrew(of: stack)
    }
    if kept.wakes { nudge.alertRecorded(kept.kind, of: stack) }
    return .json(
      [
        "id": .string(kept.id.text), "kind": .string(kept.kind.name),
        "devices": .integer(Int64(kept.deviceCount)),
      ], status: kept.isRepeat ? 200 : 202)
  }
}

/// Where wakes start. Every call returns at once and never fails: the nudge is beside the record.
package protocol Nudge: Sendable {
  /// An alert was recorded that wakes the stack's devices.
  func alertRecorded(_ kind: Kind, of stack: StackID)
  /// A device's subscription is new or has changed: one wake proves it.
  func subscriptionChanged(_ device: DeviceID, of stack: StackID)
  /// Devices of the stack may be woken for other kinds than before.
  func devicesChanged(of stack: StackID)
  /// A companion asks for a wake, to see whether one arrives.
  func testAsked(_ device: DeviceID, of stack: StackID)
}
