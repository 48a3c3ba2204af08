internal import EndpointRegistry
internal import KindCatalogue
internal import PushDelivery
internal import StrictJSON
internal import WebPushCrypto

/// What a companion asks for with `PATCH …/devices/{device}`, a JSON merge patch (RFC 7396).
struct DevicePatch {
  let change: DeviceChange

  init(_ object: JSONObject, policy: AddressPolicy) throws(Problem) {
    let fields = Fields(object: object)
    let parts = SubscriptionFields(fields: fields, policy: policy)
    var change = DeviceChange()
    change.label = Self.change(
      fields, "label", try fields.line("label", octets: Limits.labelOctets))
    change.muted = Self.change(fields, "muted", try fields.kinds("muted"))
    change.vapidPublicKey = Self.change(
      fields, "vapidPublicKey", try fields.string("vapidPublicKey", octets: vapidPublicKeyOctets))
    change.temporary = try fields.bool("temporary")
    if fields.isNull("endpoint") {
      guard fields.value("keys") == nil else {
        throw fields.invalid("keys", "cannot stay where the endpoint goes: leave it out")
      }
      change.subscription = .remove
    } else if fields.isNull("keys") {
      throw fields.invalid("keys", "cannot be removed alone: send \"endpoint\":null to end the subscription")
    } else {
      switch (try parts.endpoint(), try parts.keys()) {
      case (let endpoint?, let keys?):
        change.subscription = .set(PushSubscription(endpoint: endpoint, keys: keys))
      case (let endpoint?, nil): change.endpoint = .set(endpoint)
      case (nil, let keys?): change.keys = .set(keys)
      case (nil, nil): break
      }
    }
    self.change = change
  }

  private static func change<Value>(_ fields: Fields, _ name: String, _ value: Value?) -> Change<Value> {
    if fields.isNull(name) { return .remove }
    return value.map(Change.set) ?? .keep
  }
}
