package import HTTPListener
package import StrictJSON

/// An error answer: `application/problem+json` (RFC 9457).
package struct Problem: Error, Sendable {
  package var code: ProblemCode
  /// The status that it is answered with: the code's own, or a more exact one.
  package var status: Int
  /// A sentence that says what to do next. Never holds what the caller sent.
  package var detail: String
  /// The member at fault, as a JSON Pointer (RFC 6901).
  package var field: String?
  /// Members of the code's own, `allowed` for instance.
  package var extensions: [(name: String, value: JSONValue)] = []
  /// Whether nothing was done for the caller for want of a place: it counts for no rate, and is no fault of the service.
  package var isTurnedAway = false
  /// What is behind it, for the log alone; without a secret.
  package var cause: String?
  /// Header fields of the code's own, `Allow` for instance.
  package var headers: [(name: String, value: String)] = []

  package init(_ code: ProblemCode, _ detail: String, field: String? = nil) {
    self.code = code
    status = code.status
    self.detail = detail
    self.field = field
  }

  /// The answer on the wire.
  package var response: HTTPResponse {
    var members: [(String, JSONValue)] = [
      ("type", .string("urn:wake:problem:\(code.rawValue)")),
      ("title", .string(code.title)),
      ("status", .integer(Int64(status))),
      ("detail", .string(detail)),
      ("code", .string(code.rawValue)),
    ]
    if let field { members.append(("field", .string(field))) }
    members += extensions.map { ($0.name, $0.value) }
    return HTTPResponse(
      status: status,
      headers: [("Content-Type", "application/problem+json"), ("Cache-Control", "no-store")] + headers,
      body: JSONValue.object(JSONObject(uniqueMembers: members)).serialized())
  }
}
