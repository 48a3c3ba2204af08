internal import HTTPListener
package import StrictJSON
internal import WakeServer

/// What a push server saw of one request, fit to be shown: no path, key or token.
package struct PushSight: Sendable {
  /// Milliseconds since 1970.
  package let at: Int64
  /// The beginning of SHA-256 over the endpoint's URL; nil where the request did not get that far.
  package var endpoint: String?
  /// Octets of the body.
  package var octets = 0
  /// The status of the answer; nil where there is none.
  package var status: Int?
  /// The fault that was committed instead.
  package var fault: HostileFault?
  /// What the answer comes from, where not from the request: `script`, or the name of a condition.
  package var cause: String?
  /// What is wrong with the request.
  package var faults: [PushFault] = []

  /// A request that came to nothing but a status, because it was no request.
  init(at: Int64, refusedWith status: Int, because detail: String) {
    self.at = at
    self.status = status
    faults = [PushFault(part: .framing, detail: detail)]
  }

  /// A request and what became of it.
  init(_ push: ReceivedPush, _ reaction: PushReaction, at: Int64) {
    self.at = at
    endpoint = push.shownDigest
    octets = push.request.body.count
    switch reaction.deed {
    case .answer(let response): status = response.status
    case .fault(let fault): self.fault = fault
    }
    cause = reaction.cause
    faults = reaction.faults
  }

  /// For people: `2026-01-01T00:00:00.000Z 403 256 octets to 0123456789ab; audience is …`.
  package var line: String {
    var line = "\(Presentation.time(at)) \(status.map(String.init) ?? fault?.rawValue ?? "-")"
    line += " \(octets) octets to \(endpoint ?? "nowhere")"
    if let cause, fault == nil { line += ", as \(cause) says" }
    for fault in faults { line += "; \(fault.part.rawValue) \(fault.detail)" }
    return line
  }

  /// For programs.
  package var document: JSONValue {
    [
      "what": "push", "at": .string(Presentation.time(at)),
      "status": status.map { .integer(Int64($0)) } ?? .null,
      "fault": Presentation.text(fault?.rawValue), "endpoint": Presentation.text(endpoint),
      "octets": .integer(Int64(octets)), "cause": Presentation.text(cause),
      "failed": .array(
        faults.map { ["check": .string($0.part.rawValue), "detail": .string($0.detail)] }),
    ]
  }
}
