/// The codes of the contract's errors. Clients decide by these, never by a sentence.
package enum ProblemCode: String, Sendable, CaseIterable {
  case malformedJSON = "malformed-json"
  case duplicateKey = "duplicate-key"
  case tooDeep = "too-deep"
  case malformedRequest = "malformed-request"
  case unauthenticated
  case forbidden
  case pairingExpired = "pairing-expired"
  case pairingUsed = "pairing-used"
  case notFound = "not-found"
  case methodNotAllowed = "method-not-allowed"
  case examinationUnderWay = "examination-under-way"
  case gone
  case tooLarge = "too-large"
  case unsupportedMediaType = "unsupported-media-type"
  case missingField = "missing-field"
  case invalidField = "invalid-field"
  case endpointRefused = "endpoint-refused"
  case vapidKeyUnknown = "vapid-key-unknown"
  case kindMissing = "kind-missing"
  case kindUnknown = "kind-unknown"
  case audienceRefused = "audience-refused"
  case rateLimited = "rate-limited"
  case unavailable
  case storageFull = "storage-full"
  /// Ours, and a defect: the one code that the contract does not promise.
  case internalError = "internal"

  /// The status that always goes with the code.
  package var status: Int {
    switch self {
    case .malformedJSON, .duplicateKey, .tooDeep, .malformedRequest: 400
    case .unauthenticated: 401
    case .forbidden, .pairingExpired, .pairingUsed: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .examinationUnderWay: 409
    case .gone: 410
    case .tooLarge: 413
    case .unsupportedMediaType: 415
    case .missingField, .invalidField, .endpointRefused, .vapidKeyUnknown, .kindMissing, .kindUnknown,
      .audienceRefused:
      422
    case .rateLimited: 429
    case .internalError: 500
    case .unavailable: 503
    case .storageFull: 507
    }
  }

  /// The short sentence that always goes with the code (`title`, RFC 9457 §3.1.3).
  package var title: String {
    switch self {
    case .malformedJSON: "The body is not JSON"
    case .duplicateKey: "A member is named twice"
    case .tooDeep: "The body is nested too deeply"
    case .malformedRequest: "The request is malformed"
    case .unauthenticated: "A valid token is needed"
    case .forbidden: "This token may not do that"
    case .pairingExpired: "The pairing code has expired"
    case .pairingUsed: "The pairing code was used by another device"
    case .notFound: "There is no such thing"
    case .methodNotAllowed: "This method is not possible here"
    case .examinationUnderWay: "This device is being examined"
    case .gone: "This registration was revoked or removed"
    case .tooLarge: "The request is too large"
    case .unsupportedMediaType: "The body must be JSON"
    case .missingField: "A member is missing"
    case .invalidField: "A member is not valid"
    case .endpointRefused: "The endpoint is refused"
    case .vapidKeyUnknown: "The stack does not hold this VAPID key"
    case .kindMissing: "The alert names no kind"
    case .kindUnknown: "The kind is not one of the closed list"
    case .audienceRefused: "Alerts reach the operator only"
    case .rateLimited: "Too many requests"
    case .internalError: "Something went wrong inside"
    case .unavailable: "The service cannot answer just now"
    case .storageFull: "The service's storage is full"
    }
  }
}
