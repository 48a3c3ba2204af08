import EndpointRegistry
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
      "Stack \(stack.id) was added; it raises \(stack.kindNames).",
    ])
  }

  func paired(_ pairing: DemoActs.Pairing) throws(CommandError) {
    try say([
      "",
      "A phone (`wake companion`, with a push server of its own on loopback) paired by the link:",
      "  device \(pairing.device), state \(pairing.registered)",
      "  its activation wake came, and the phone handed the receipt back: state \(pairing.receipted)",
    ])
  }

  func raised(_ act: DemoActs.Act) throws(CommandError) {
    let headers = act.message.headers.map { "      \($0.name): \(Self.shown($0))" }
    try say(
      [
        "", "\(act.kind.name.uppercased())", "  the core called the hook: 202, alert \(act.id)",
        "  \(act.wakeMilliseconds) ms later the push server had a POST to the phone's endpoint with",
      ] + headers + [
        "      and \(act.message.body.count) octets that it cannot read",
        "  the companion decrypted  \(act.plaintext)",
        "  and read, \(act.shownMilliseconds) ms after the call  \(act.read.text)",
        "  the attempt's row, receipt and all  \(JSONValue.object(act.attempt).text)",
      ])
  }

  func refused(_ refusal: DemoActs.Refusal) throws(CommandError) {
    try say([
      "", "A SEVENTH KIND", "  the core called the hook with \"\(DemoActs.unknownKind)\": \(refusal.status)",
      "  \(JSONValue.object(refusal.body).text)",
      "  the push server saw \(refusal.messages) messages",
    ])
  }

  func heard(_ heard: DemoActs.Heard) throws(CommandError) {
    try say([
      "", "THE APP IS OPEN", "  the phone follows the stream; the core raised an alert that wakes nobody",
      "  \(heard.milliseconds) ms after the call the phone heard \(heard.id), with \(heard.wakes) wakes",
    ])
  }

  func stormed(_ storm: DemoActs.Storm) throws(CommandError) {
    let wakes = storm.wakes.map { wake in
      "  after \(wake.milliseconds) ms one wake for \(Table.count(wake.alerts, "alert"))"
    }
    try say(
      ["", "A STORM", "  the core raised \(storm.alerts) alerts in a window of \(storm.windowSeconds) s"]
        + wakes)
  }

  func delivered(_ delivery: JSONObject) throws(CommandError) {
    try say(["", "WHAT THE CORE IS TOLD OF ITS WAKES", "  \(JSONValue.object(delivery).text)"])
  }

  func closing(alerts: Int, wakes: Int) throws(CommandError) {
    try say([
      "",
      "\(alerts) alerts raised and read, \(wakes) wakes delivered, decrypted and confirmed, 1 kind refused. "
        + "Nothing is left behind.",
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
