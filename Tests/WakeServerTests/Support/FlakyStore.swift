import EndpointRegistry
import Synchronization

/// A store two of three calls of which fail before they have done anything, as where the disk is full or another
/// process holds the file for long.
final class FlakyStore: WakeStore {
  enum Call: String, CaseIterable, Sendable {
    case stacksToNudge, pendingWakes, settle, wakeTarget, beginAttempts, completeAttempts
  }

  private struct State {
    var calls: [Call: Int] = [:]
    var receipts: [String] = []
  }

  private let store: any WakeStore
  private let flaky: Set<Call>
  private let state = Mutex(State())

  init(_ store: any WakeStore, failing flaky: Set<Call>) {
    (self.store, self.flaky) = (store, flaky)
  }

  /// The receipts of all wakes whose rows are on disk.
  var receipts: [String] { state.withLock(\.receipts) }

  /// Those that have failed so far.
  var failed: Set<Call> { state.withLock { Set($0.calls.keys).intersection(flaky) } }

  private func mayFail(_ call: Call) throws(RegistryError) {
    let number = state.withLock { state in
      state.calls[call, default: 0] += 1
      return state.calls[call] ?? 0
    }
    guard flaky.contains(call), !number.isMultiple(of: 3) else { return }
    throw number.isMultiple(of: 2) ? .busy : .storageFull
  }

  private func keep(_ receipts: [String]) { state.withLock { $0.receipts += receipts } }

  func stacksToNudge() async throws(RegistryError) -> [StackID] {
    try mayFail(.stacksToNudge)
    return try await store.stacksToNudge()
  }

  func pendingWakes(
    of stack: StackID, rules: WakeRules, after: DeviceID?, limit: Int, at: Int64
  ) async throws(RegistryError) -> PendingWakePage {
    try mayFail(.pendingWakes)
    return try await store.pendingWakes(of: stack, rules: rules, after: after, limit: limit, at: at)
  }

  func settle(
    _ decisions: [(PendingWake, WakeDecision)], of stack: StackID, completing newest: AlertID?, at: Int64
  ) async throws(RegistryError) -> [AttemptID?] {
    try mayFail(.settle)
    let attempts = try await store.settle(decisions, of: stack, completing: newest, at: at)
    keep(
      zip(decisions, attempts).compactMap { decision, attempt in
        guard attempt != nil, case .send(let receipt) = decision.1 else { return nil }
        return receipt
      })
    return attempts
  }

  func wakeTarget(_ device: DeviceID) async throws(RegistryError) -> WakeTarget? {
    try mayFail(.wakeTarget)
    return try await store.wakeTarget(device)
  }

  func beginAttempts(_ attempts: [NewAttempt], at: Int64) async throws(RegistryError) -> [AttemptID] {
    try mayFail(.beginAttempts)
    let ids = try await store.beginAttempts(attempts, at: at)
    keep(attempts.compactMap(\.receipt))
    return ids
  }

  func beginActivation(_ attempt: NewAttempt, at: Int64) async throws(RegistryError) -> AttemptID? {
    try mayFail(.beginAttempts)
    guard let id = try await store.beginActivation(attempt, at: at) else { return nil }
    keep([attempt.receipt].compactMap { $0 })
    return id
  }

  func activationsOwed(
    limit: Int
  ) async throws(RegistryError) -> [(device: DeviceID, stack: StackID)] {
    try await store.activationsOwed(limit: limit)
  }

  func rules(of stacks: [StackID]) async throws(RegistryError) -> [StackID: Int64] {
    try await store.rules(of: stacks)
  }

  func completeAttempts(
    _ results: [AttemptResult], at: Int64
  ) async throws(RegistryError) -> [ErasedEndpoint] {
    try mayFail(.completeAttempts)
    return try await store.completeAttempts(results, at: at)
  }
}
