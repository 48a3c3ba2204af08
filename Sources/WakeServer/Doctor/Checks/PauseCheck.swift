internal import EndpointRegistry
internal import PushDelivery

/// Why nothing goes to a device for a while: what its push server said when it asked for the pause.
struct PauseCheck {
  let store: any RegistryStore
  let at: Int64

  /// What the answer meant that began the pause, the device's own or the push server's last; where neither is kept, what
  /// a pause is.
  func why(_ device: DeviceID, of stack: StackID, at origin: String) async throws(RegistryError)
    -> Explanation
  {
    let throttled = AttemptFilter(device: device, outcome: .throttled)
    if let own = try await store.attempts(throttled, before: nil, limit: 1).first, own.pushServer == origin,
      let explanation = own.explanation
    {
      return explanation
    }
    let servers = try await store.delivery(of: stack, at: at).pushServers
    return Self.why(servers.first { $0.origin == origin }, at: origin)
  }

  /// The same of a push server as a whole.
  static func why(_ server: PushServerDelivery?, at origin: String) -> Explanation {
    (server?.lastOutcome == .throttled ? server?.explanation : nil)
      ?? AttemptOutcome.held.explanation(status: nil, reason: nil, pushServer: origin)
      ?? Explanation("The push server asked for a pause.", fix: "Wait for its end.")
  }
}
