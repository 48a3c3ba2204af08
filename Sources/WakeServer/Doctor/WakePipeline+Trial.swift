internal import EndpointRegistry
internal import PushDelivery

extension WakePipeline {
  /// What came of a test wake that somebody watches.
  enum Trial: Sendable {
    /// There is no subscription, or its row cannot be read.
    case nobody
    /// Too many wakes wait for the push server.
    case crowded
    /// The push server asked for a pause until then.
    case held(until: Int64)
    case sent(AttemptID, PushAnswer)
  }

  /// Sends one test wake as every other one goes, with a row of its own, and waits for the push server's answer.
  func tryWake(_ device: DeviceID, of stack: StackID) async throws(RegistryError) -> Trial {
    let single = SingleWake(device: device, stack: stack, purpose: .test)
    switch try await prepare(single, urgent: true) {
    case .nobody: return .nobody
    case .crowded: return .crowded
    case .held(let until, _): return .held(until: until)
    case .ready(let wake): return .sent(wake.attempt, await send(wake))
    }
  }
}
