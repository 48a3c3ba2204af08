package import StrictJSON
internal import WakeServer

/// Something that a companion has to say: a line for a person, a document for a program. Neither holds a secret.
package enum CompanionNote: Sendable {
  /// It can be woken now.
  case ready(stacks: Int, listening: String?)
  /// What the phone would show.
  case alert(CompanionStack, JSONObject)
  /// A wake was answered by a read, which brought that many alerts.
  case read(CompanionStack, alerts: Int)
  /// The test wake that was asked for has come, after that time.
  case tested(CompanionStack, after: Duration)
  /// Something may be missing.
  case gap(CompanionStack, reason: String)
  /// The list of kinds is another one now.
  case kinds(CompanionStack)
  /// The stream of alerts is open.
  case following(CompanionStack)
  /// There is a new subscription, with the stack's new VAPID key.
  case renewed(CompanionStack)
  /// The service has ended the registration.
  case ended(CompanionStack)
  /// Octets that no key opens, or that are no wake, so many so far.
  case undecryptable(count: Int)
  /// Wakes for a stack that is not this subscription's, so many so far.
  case unknownStack(count: Int)
  /// Something went wrong, and will be tried again or waits for the next wake.
  case trouble(CompanionStack, CompanionError)

  /// The line, without its LF.
  package var line: String {
    switch self {
    case .ready(let stacks, let address):
      "ready: \(stacks == 1 ? "1 stack" : "\(stacks) stacks")"
        + (address.map { ", wakes come to \($0)" } ?? "")
    case .alert(let stack, let alert):
      [
        alert["at"]?.string, "[\(stack.label)]", alert["kind"]?.string, alert["event"]?.string,
        Self.notification(stack, alert),
      ].compactMap { $0?.onOneLine }.joined(separator: "  ")
    case .read(let stack, let alerts):
      "[\(stack.label.onOneLine)] woken: \(alerts == 1 ? "1 alert" : "\(alerts) alerts")"
    case .tested(let stack, let time):
      "[\(stack.label.onOneLine)] the test wake came after \(time.wholeMilliseconds) ms"
    case .gap(let stack, let reason):
      "[\(stack.label.onOneLine)] alerts may be missing here (\(reason.onOneLine))"
    case .kinds(let stack):
      "[\(stack.label.onOneLine)] raises \(stack.kinds.joined(separator: ", ").onOneLine)"
    case .following(let stack): "[\(stack.label.onOneLine)] following"
    case .renewed(let stack): "[\(stack.label.onOneLine)] has a new VAPID key: subscribed anew"
    case .ended(let stack): "[\(stack.label.onOneLine)] this registration is over: pair again"
    case .undecryptable(let count): "ignored what cannot be decrypted (\(count) so far)"
    case .unknownStack(let count): "ignored a wake of a stack that is not known (\(count) so far)"
    case .trouble(let stack, let error): "[\(stack.label.onOneLine)] \(error)"
    }
  }

  /// The document, with `what` first.
  package var document: JSONValue {
    switch self {
    case .ready(let stacks, let address):
      [
        "what": "ready", "stacks": .integer(Int64(stacks)),
        "listening": address.map { .string($0) } ?? .null,
      ]
    case .alert(let stack, let alert):
      Self.document(
        "alert", stack,
        ["id", "at", "kind", "event", "ref", "moment", "alert"].map { ($0, alert[$0] ?? .null) }
          + [("notification", .string(Self.notification(stack, alert)))])
    case .read(let stack, let alerts): Self.document("read", stack, [("alerts", .integer(Int64(alerts)))])
    case .tested(let stack, let time):
      Self.document("tested", stack, [("milliseconds", .integer(time.wholeMilliseconds))])
    case .gap(let stack, let reason): Self.document("gap", stack, [("reason", .string(reason))])
    case .kinds(let stack):
      Self.document("kinds", stack, [("kinds", .array(stack.kinds.map { .string($0) }))])
    case .following(let stack): Self.document("following", stack)
    case .renewed(let stack): Self.document("renewed", stack)
    case .ended(let stack): Self.document("ended", stack)
    case .undecryptable(let count): ["what": "undecryptable", "count": .integer(Int64(count))]
    case .unknownStack(let count): ["what": "unknown-stack", "count": .integer(Int64(count))]
    case .trouble(let stack, let error):
      Self.document("trouble", stack, [("sentence", .string(error.description))])
    }
  }

  /// The id under which a phone shows an alert: shown again, it takes the place of the first.
  private static func notification(_ stack: CompanionStack, _ alert: JSONObject) -> String {
    "\(stack.stack):\(alert["id"]?.string ?? "")"
  }

  private static func document(
    _ what: String, _ stack: CompanionStack, _ members: [(String, JSONValue)] = []
  ) -> JSONValue {
    .object(
      JSONObject(
        uniqueMembers: [
          ("what", .string(what)), ("stack", .string(stack.stack)), ("label", .string(stack.label)),
        ] + members))
  }
}

extension String {
  /// Without what a terminal would act on.
  var onOneLine: String {
    String(
      String.UnicodeScalarView(
        unicodeScalars.map { $0.isOnOneLine ? $0 : "\u{fffd}" }))
  }
}

extension Duration {
  /// Whole milliseconds, what is less cut off.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }
}
