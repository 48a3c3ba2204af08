package import HTTPListener

/// What a push server makes of one request.
package struct PushReaction: Sendable {
  /// What it does.
  package enum Deed: Sendable {
    case answer(HTTPResponse)
    case fault(HostileFault)
  }

  package var deed: Deed
  /// How long it takes until then.
  package var delayMilliseconds = 0
  /// What a strict push server finds wrong, whether this one minds or not.
  package var faults: [PushFault] = []
  /// What the answer comes from, where not from the request: `script`, or the name of a condition.
  package var cause: String?
}
