package import EndpointRegistry
internal import KindCatalogue
package import StrictJSON

/// What a core asks for with `POST …/alerts`, already held against every rule that needs no store.
package struct AlertRequest: Sendable {
  package let alert: NewAlert

  /// - Throws: the contract's error for the first member at fault; the kind is looked at first.
  package init(_ object: JSONObject) throws(Problem) {
    let fields = Fields(object: object)
    guard let named = fields.value("kind") else {
      throw Problem(.kindMissing, "Name the alert's kind: GET /v1/kinds lists them.", field: "/kind")
    }
    guard case .string(let name) = named, let kind = Kind(exactly: name) else {
      throw Problem.kindUnknown(field: "/kind")
    }
    try Self.checkAudience(fields, of: kind)
    alert = NewAlert(
      kind: kind,
      event: try fields.string("event", octets: Limits.eventOctets),
      ref: try fields.string("ref", octets: Limits.refOctets),
      moment: try Self.moment(fields),
      alert: try Self.content(fields),
      wakes: try fields.bool("wake"))
  }

  private static func checkAudience<K: AlertKind>(_ fields: Fields, of kind: K) throws(Problem) {
    guard let wish = fields.value("audience") else { return }
    guard case .string(let word) = wish else {
      throw fields.invalid("audience", "must be the string \"\(K.Recipient.name)\", or be left out")
    }
    do {
      try K.Recipient.demand(word)
    } catch {
      throw Problem(
        .audienceRefused,
        "Every alert reaches the \(K.Recipient.name) and nobody else: leave `audience` out.",
        field: "/audience")
    }
  }

  private static func moment(_ fields: Fields) throws(Problem) -> Moment? {
    guard let value = fields.value("moment") else { return nil }
    guard case .string(let name) = value, let moment = Moment(rawValue: name) else {
      let names = Moment.allCases.map(\.rawValue).joined(separator: ", ")
      throw fields.invalid("moment", "must be one of \(names)")
    }
    return moment
  }

  private static func content(_ fields: Fields) throws(Problem) -> [UInt8]? {
    guard let content = try fields.object("alert") else { return nil }
    let octets = JSONValue.object(content.object).serialized()
    guard octets.count <= Limits.alertOctets else {
      throw fields.invalid("alert", "may hold \(Limits.alertOctets) octets")
    }
    return octets
  }
}
