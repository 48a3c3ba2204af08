internal import HTTPListener
internal import Synchronization

/// Decides what is said to each request: the script first, then what the path asks for by name, then the checks.
package final class PushServerRules: Sendable {
  private struct State {
    /// Requests that each rule of the script has had.
    var counts: [Int]
    var keys = PushKeyBook()
    /// What is left of the allowances, by the condition's name.
    var allowances: [String: PushAllowance] = [:]
  }

  /// Whom it plays.
  package let personality: PushServerPersonality
  /// Whether requests are checked; without, everything that no script and no name says otherwise about is taken.
  package let checks: Bool
  private let script: PushScript?
  private let character: PushServerCharacter
  private let state: Mutex<State>

  /// Rules of a personality, and of a script that goes before it.
  package init(as personality: PushServerPersonality, script: PushScript? = nil, checks: Bool = true) {
    self.personality = personality
    self.script = script
    self.checks = checks
    character = personality.character
    state = Mutex(State(counts: Array(repeating: 0, count: script?.rules.count ?? 0)))
  }

  /// Whether some of it can be played by ``HostilePushServer`` alone.
  package var needsRawSockets: Bool { personality == .hostile || script?.hasFaults == true }

  /// What is done about a request.
  package func reaction(to push: ReceivedPush) -> PushReaction {
    let faults = checks ? checked(push) : []
    let path = push.request.path
    let scripted = scripted(path)
    var reaction = played(push, path: path, faults: faults)
    if let scripted {
      reaction.cause = "script"
      reaction.delayMilliseconds = scripted.delayMilliseconds
      switch scripted.deed {
      case .asPlayed: break
      case .answer(let response): reaction.deed = .answer(response)
      case .fault(let fault): reaction.deed = .fault(fault)
      }
    }
    reaction.faults = faults
    return reaction
  }

  /// The fault that a path asks for, where the server is a hostile one.
  package func fault(for path: String) -> HostileFault? {
    personality == .hostile ? HostileFault(askedForBy: path) : nil
  }

  private func checked(_ push: ReceivedPush) -> [PushFault] {
    let faults = PushCheck.faults(of: push)
    let bound = state.withLock { $0.keys.fault(of: push) }
    return faults + (bound.map { [$0] } ?? [])
  }

  private func scripted(_ path: String) -> PushScript.Answer? {
    guard let script, let index = script.rules.firstIndex(where: { $0.paths.matches(path) }) else {
      return nil
    }
    let count = state.withLock { state in
      defer { state.counts[index] += 1 }
      return state.counts[index]
    }
    return script.rules[index].answer(at: count)
  }

  /// Whether a condition lets a message pass for now.
  private func isAllowed(_ condition: PushServerCondition, _ push: ReceivedPush) -> Bool {
    guard let full = condition.allowance else { return false }
    return state.withLock { $0.allowances[condition.name, default: full].take(atSeconds: push.nowSeconds) }
  }

  private func played(_ push: ReceivedPush, path: String, faults: [PushFault]) -> PushReaction {
    if let fault = fault(for: path) { return PushReaction(deed: .fault(fault), cause: fault.rawValue) }
    if let condition = character.condition(for: path), !isAllowed(condition, push) {
      return PushReaction(
        deed: .answer(condition.answer(push)), delayMilliseconds: condition.delayMilliseconds,
        cause: condition.name)
    }
    let refusal = faults.lazy.compactMap { self.character.refusing($0, push) }.first
    return PushReaction(deed: .answer(refusal ?? character.accepting(push)))
  }
}
