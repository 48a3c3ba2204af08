internal import EndpointRegistry
internal import PushDelivery
internal import StrictJSON

/// What a companion asks for with `POST …/devices`.
struct RegistrationRequest {
  let registration: Registration

  init(_ object: JSONObject, pairing: Token, policy: AddressPolicy) throws(Problem) {
    let fields = Fields(object: object)
    guard fields.value("client") != nil else {
      throw fields.missing("client", "send 22 base64url characters, chosen at random once and kept")
    }
    guard case .string(let text)? = fields.value("client"), let client = ClientID(text) else {
      throw fields.invalid("client", "must be 22 base64url characters (16 random octets)")
    }
    registration = Registration(
      pairing: pairing,
      client: client,
      subscription: try SubscriptionFields(fields: fields, policy: policy).subscription(),
      vapidPublicKey: try fields.string("vapidPublicKey", octets: vapidPublicKeyOctets),
      label: try fields.line("label", octets: Limits.labelOctets),
      muted: try fields.kinds("muted"),
      temporary: try fields.bool("temporary") ?? false)
  }
}

/// A VAPID public key as text: 65 octets in base64url (RFC 8292 §3.2).
let vapidPublicKeyOctets = 87
