import CryptoPrimitives
import KindCatalogue
import Testing

@testable import EndpointRegistry

/// Short words for fan-outs.
extension TemporaryStore {
  /// Windows of half a minute; alerts are fresh for a day.
  static let rules = WakeRules(windowMilliseconds: 30_000, freshMilliseconds: Retention.day)

  /// A receipt that nobody has used yet.
  static func receipt() -> String { Base64URL.encode(RandomOctets.system(16)) }

  /// The one page of a small stack.
  func page(
    _ stack: StackID, at: Int64, rules: WakeRules = rules, store: SQLiteStore? = nil
  ) async throws -> PendingWakePage {
    let page = try await (store ?? self.store).pendingWakes(
      of: stack, rules: rules, after: nil, limit: 100, at: at)
    #expect(page.next == nil)
    return page
  }

  /// A whole fan-out of a small stack: who may be woken is, and the others wait or have nothing to be told of.
  @discardableResult
  func fanOut(
    _ stack: StackID, at: Int64, rules: WakeRules = rules, receipt: String = receipt()
  ) async throws -> [DeviceID: AttemptID] {
    let page = try await page(stack, at: at, rules: rules)
    let decisions = page.entries.map { ($0, Self.decision($0, receipt: receipt)) }
    let attempts = try await store.settle(decisions, of: stack, completing: page.newest, at: at)
    let sent = zip(page.entries, attempts).compactMap { entry, attempt in attempt.map { (entry.device, $0) } }
    return Dictionary(sent) { $1 }
  }

  /// What a pipeline without holds decides.
  static func decision(_ wake: PendingWake, receipt: String) -> WakeDecision {
    guard wake.due != nil else { return .pass }
    if wake.windowEndsAt != nil { return .wait(.coalesced) }
    return wake.target == nil ? .pass : .send(receipt: receipt)
  }

  /// Raises one alert and gives its number.
  @discardableResult
  func raise(_ stack: StackID, _ kind: Kind = .problem, wakes: Bool? = nil, at: Int64) async throws -> Int64 {
    try await store.appendAlert(NewAlert(kind: kind, wakes: wakes), to: stack, at: at).id.number
  }

  /// Rows of a device, oldest first: `outcome first-last ×count`.
  func rows(_ device: DeviceID) async throws -> [String] {
    try await store.attempts(AttemptFilter(device: device), before: nil, limit: 1_000).reversed().map {
      "\($0.outcome) \($0.alertFirst?.number ?? 0)-\($0.alertLast?.number ?? 0) ×\($0.alertCount)"
    }
  }
}

extension AlertSpan {
  /// `first-last ×count`.
  var numbers: String { "\(first.number)-\(last.number) ×\(count)" }
}
