import EndpointRegistry
import HTTPClient
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

/// What the demo tells people. With --json it keeps quiet and the document stands alone.
struct DemoScript: Sendable {
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func opening(_ parties: DemoParties, _ stack: Stack) throws(CommandError) {
    try say([
      "The service listens on \(parties.baseURL), its state is in a temporary folder.",
      "A stand-in push server listens on \(parties.pushServer.origin).",
      "Stack \(stack.id) was added; it raises \(stack.kindNames).",
    ])
  }

  func registered(_ registration: Companion.Registration) throws(CommandError) {
    try say([
      "",
      "A companion paired and registered: device \(registration.device), state"
        + " \(registration.answer["state"]?.word ?? "?"). Its activation wake has arrived.",
    ])
  }

  func raised(_ act: DemoActs.Act) throws(CommandError) {
    let headers = act.message.headers.map { "      \($0.name): \(Self.shown($0))" }
    try say(
      [
        "", "\(act.kind.name.uppercased())", "  the core called the hook: \(act.hookStatus), alert \(act.id)",
        "  the push server saw POST \(act.message.target) with",
      ] + headers + [
        "      and \(act.message.body.count) octets that it cannot read",
        "  the companion decrypted  \(act.plaintext)",
        "  and read from the service  \(act.read.text)",
        "  the attempt's row  \(JSONValue.object(act.attempt).text)",
      ])
  }

  func refused(_ refusal: DemoActs.Refusal) throws(CommandError) {
    try say([
      "", "A SEVENTH KIND", "  the core called the hook with \"\(DemoActs.unknownKind)\": \(refusal.status)",
      "  \(JSONValue.object(refusal.body).text)",
      "  the push server saw \(refusal.messages) messages",
    ])
  }

  func closing(_ alerts: Int) throws(CommandError) {
    try say([
      "",
      "\(alerts) alerts raised, \(alerts) wakes delivered and decrypted, 1 refused. Nothing is left behind.",
    ])
  }

  /// A header field for the reader: the token of a VAPID field is left out.
  static func shown(_ field: (name: String, value: String)) -> String {
    guard field.name.lowercased() == "authorization" else { return field.value }
    return field.value.prefix { $0 != "=" } + "=… (signed by the stack's VAPID key)"
  }

  private func say(_ lines: [String]) throws(CommandError) {
    if !invocation.json { try invocation.write(lines.joined(separator: "\n")) }
  }
}
