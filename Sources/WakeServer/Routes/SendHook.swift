package import EndpointRegistry
internal import HTTPListener
package import KindCatalogue
internal import StrictJSON

/// Raises an alert: keeps it, answers, then nudges. One way in for cores and for the operator.
package struct SendHook: Sendable {
  let store: any RegistryStore
  let nudge: any Nudge

  /// Returns once the alert is on disk; no push server has been asked by then, and none can make this fail.
  func raise(_ request: AlertRequest, for stack: StackID, at: Int64) async throws(Problem) -> HTTPResponse {
    let kept = try await registry { () async throws(RegistryError) in
      try await store.appendAlert(request.alert, to: stack, at: at)
    }
    if kept.wakes {
      nudge.alertRecorded(kept.id, kind: request.alert.kind, of: stack)
    }
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
  func alertRecorded(_ alert: AlertID, kind: Kind, of stack: StackID)
  /// A device's subscription is new or has changed: one wake proves it.
  func subscriptionChanged(_ device: DeviceID, of stack: StackID)
}
