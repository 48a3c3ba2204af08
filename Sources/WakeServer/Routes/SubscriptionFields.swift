internal import KindCatalogue
internal import PushDelivery
internal import StrictJSON
internal import WebPushCrypto

/// Reads an endpoint and keys out of a request; what exists afterwards is valid.
struct SubscriptionFields {
  let fields: Fields
  let policy: AddressPolicy

  /// The endpoint and keys of a body that names both, or nil where it names neither.
  func subscription() throws(Problem) -> PushSubscription? {
    switch (try endpoint(), try keys()) {
    case (nil, nil): return nil
    case (let endpoint?, let keys?): return PushSubscription(endpoint: endpoint, keys: keys)
    case (_?, nil):
      throw fields.missing("keys", "an endpoint comes with its keys, {\"p256dh\":…,\"auth\":…}")
    case (nil, _?):
      throw fields.missing("endpoint", "keys come with the endpoint that they belong to")
    }
  }

  /// The endpoint, judged by its text alone: no name is resolved.
  func endpoint() throws(Problem) -> Endpoint? {
    guard let value = fields.value("endpoint") else { return nil }
    guard case .string(let url) = value else { throw fields.invalid("endpoint", "must be a string") }
    do {
      return try policy.endpoint(from: url)
    } catch {
      throw Problem(.endpointRefused, error.detail, field: "/endpoint")
    }
  }

  /// `p256dh` and `auth`, which change only together.
  func keys() throws(Problem) -> UserAgentKeys? {
    guard let keys = try fields.object("keys") else { return nil }
    let p256dh = try text("p256dh", of: keys)
    let auth = try text("auth", of: keys)
    do {
      return try UserAgentKeys(p256dh: p256dh, auth: auth)
    } catch {
      switch error {
      case .p256dh(let reason): throw Problem(.invalidField, reason, field: "/keys/p256dh")
      case .auth(let reason): throw Problem(.invalidField, reason, field: "/keys/auth")
      }
    }
  }

  private func text(_ name: String, of keys: Fields) throws(Problem) -> String {
    guard let value = keys.object[name] else {
      throw keys.missing(name, "keys are {\"p256dh\":…,\"auth\":…} of the subscription")
    }
    guard case .string(let text) = value else { throw keys.invalid(name, "must be a string") }
    return text
  }
}
