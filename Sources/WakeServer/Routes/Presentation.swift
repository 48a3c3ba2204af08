internal import EndpointRegistry
internal import FoundationEssentials
internal import HTTPListener
package import KindCatalogue
package import StrictJSON

/// The shapes of answers. Whatever leaves the service as JSON is written here, and nothing secret is.
package enum Presentation {
  /// What an answer of the service may hold: a page of the largest alerts, and their frames around the deepest.
  package static let answerLimits = JSONLimits(
    octets: 2 * Limits.pageRows * Limits.alertOctets, depth: 2 * Limits.jsonDepth)

  /// RFC 3339 in UTC with milliseconds.
  package static func time(_ milliseconds: Int64) -> String {
    // From the middle of the millisecond: what is told is cut off, and a fraction of two may lie just below it.
    Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1_000)
      .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }

  package static func time(_ milliseconds: Int64?) -> JSONValue {
    milliseconds.map { .string(time($0)) } ?? .null
  }

  package static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  package static func integer(_ number: Int?) -> JSONValue { number.map { .integer(Int64($0)) } ?? .null }

  package static func names(_ kinds: [Kind]) -> JSONValue { .array(kinds.map { .string($0.name) }) }

  /// The closed list with what each kind is for (`GET /v1/kinds`, `wake kinds`).
  package static var catalogue: JSONValue {
    [
      "kinds": .array(
        Kind.allCases.map {
          ["kind": .string($0.name), "audience": .string($0.audience), "summary": .string($0.summary)]
        }),
      "version": .string(CatalogueVersion(Kind.allCases).text),
    ]
  }

  static var retention: JSONValue {
    ["alerts": .integer(Limits.retentionAlerts), "seconds": .integer(Limits.retentionSeconds)]
  }
}

extension HTTPResponse {
  static func json(_ value: JSONValue, status: Int = 200, headers: [(name: String, value: String)] = [])
    -> HTTPResponse
  {
    HTTPResponse(
      status: status,
      headers: [("Content-Type", MediaType.json), ("Cache-Control", "no-store")] + headers,
      body: value.serialized())
  }

  static let noContent = HTTPResponse(status: 204, headers: [], body: [])
}
