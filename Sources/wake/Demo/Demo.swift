import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

/// The main job from end to end, in front of the reader's eyes.
struct Demo: Sendable {
  private let invocation: Invocation
  private let script: DemoScript

  init(_ invocation: Invocation) {
    self.invocation = invocation
    script = DemoScript(invocation)
  }

  func run() async throws(CommandError) {
    let parties = try DemoParties(log: .silent)
    let result: Result<JSONValue, CommandError>
    do throws(CommandError) { result = .success(try await play(parties)) } catch { result = .failure(error) }
    await parties.cleanUp()
    let document = try result.get()
    if invocation.json { try invocation.write(document.text) }
  }

  private func play(_ parties: DemoParties) async throws(CommandError) -> JSONValue {
    let now = invocation.now
    let (added, code) = try await parties.withStore { store throws(RegistryError) in
      let added = try await store.addStack(
        id: nil, label: "demo", kinds: Kind.allCases, hookTokenName: "core", at: now)
      let code = try await store.addPairing(
        stack: added.stack.id, at: now, expiresAt: now + Limits.pairingMilliseconds)
      return (added, code)
    }
    let link = PairingLink(
      baseURL: parties.baseURL, stack: added.stack.id.text, vapidPublicKey: added.stack.vapidPublicKey,
      fingerprint: nil, code: code.text, expires: (now + Limits.pairingMilliseconds) / 1_000)
    try script.opening(parties, added.stack)

    let acts = DemoActs(parties: parties, link: link, hookToken: added.hookToken.text)
    let pairing = try await acts.pair()
    try script.paired(pairing)
    var shown: [JSONValue] = []
    for kind in Kind.allCases {
      let act = try await acts.raise(kind)
      try script.raised(act)
      shown.append(act.document)
    }
    let refusal = try await acts.raiseAnUnknownKind()
    try script.refused(refusal)
    guard refusal.messages == 0 else { throw .failed("the refused alert reached the push server") }
    let heard = try await acts.follow()
    try script.heard(heard)
    guard heard.wakes == 0 else { throw .failed("an alert that wakes nobody woke somebody") }
    let storm = try await acts.storm()
    try script.stormed(storm)
    let delivery = try await acts.delivery()
    try script.delivered(delivery)
    try script.closing(
      alerts: shown.count + 1 + storm.alerts, wakes: 1 + shown.count + storm.wakes.count)
    return [
      "stack": .string(added.stack.id.text), "device": pairing.document, "alerts": .array(shown),
      "refused": refusal.document, "stream": heard.document, "storm": storm.document,
      "delivery": .object(delivery),
    ]
  }
}
