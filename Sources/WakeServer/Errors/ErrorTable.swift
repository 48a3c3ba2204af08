internal import EndpointRegistry
package import HTTPListener
internal import StrictJSON

/// The only table from the modules' errors to what a client is told.
extension Problem {
  /// Seconds after which a client may try again what failed for lack of the store.
  static let retryAfterSeconds = 5

  init(_ error: RegistryError) {
    switch error {
    case .notFound:
      self.init(.notFound, "Nothing of this name is here, or it is not yours.")
    case .pairingExpired:
      self.init(.pairingExpired, "Make a new code with `wake pair` and scan it.")
    case .pairingUsed:
      self.init(.pairingUsed, "A code registers one device. Make a new one with `wake pair`.")
    case .gone:
      self.init(.gone, "Pair this device again.")
    case .vapidKeyUnknown:
      self.init(
        .vapidKeyUnknown, "Subscribe with the key that GET /v1/stacks/{stack} names.",
        field: "/vapidPublicKey")
    case .keysWithoutSubscription:
      self.init(
        .missingField, "There is no subscription whose keys could change: send endpoint and keys.",
        field: "/endpoint")
    case .endpointWithoutKeys:
      self.init(
        .missingField, "No keys are known that could stay: send the endpoint with its keys.", field: "/keys")
    case .busy, .closed:
      self.init(.unavailable, "The store is busy. Try again in a few seconds.")
      headers = [("Retry-After", "\(Self.retryAfterSeconds)")]
    case .storageFull:
      self.init(.storageFull, "Nothing was stored. The operator must free space on the service's disk.")
    default:
      self.init(.internalError, "Nothing was stored. The service's log says more.")
    }
    cause = "\(error)"
  }

  init(_ error: StrictJSONError) {
    switch error {
    case .tooLarge:
      self.init(.tooLarge, "A body may hold \(Limits.bodyOctets) octets.")
    case .tooDeep:
      self.init(.tooDeep, "Objects and arrays may be nested \(Limits.jsonDepth) deep.")
    case .duplicateKey:
      self.init(.duplicateKey, "Name each member of an object once.")
    case .numberOutOfRange:
      self.init(.malformedJSON, "Whole numbers must fit in 64 bits, others in a double: send it as a string.")
    default:
      self.init(.malformedJSON, "Send one JSON value in UTF-8 (RFC 8259), without NUL or lone surrogates.")
    }
  }

  /// What a request that no route has seen is told.
  ///
  /// Its sentence holds nothing of the request. The code is that of a malformed one, whatever the status is: a client
  /// that sees it has a fault of its own.
  package init(_ refusal: GateRefusal) {
    switch refusal.status {
    case 413:
      self.init(.tooLarge, "A body may hold \(Limits.bodyOctets) octets.")
    case 503:
      self.init(.unavailable, "Nothing was done, as \(refusal.detail). Try again in a few seconds.")
      headers = [("Retry-After", "\(Self.retryAfterSeconds)")]
    default:
      self.init(.malformedRequest, "The request was not read, as \(refusal.detail).")
      status = refusal.status
    }
  }
}
