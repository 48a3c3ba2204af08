import CryptoPrimitives
internal import StrictJSON

/// The value of an `Authorization` field of the scheme `vapid`, taken apart (RFC 8292 §3).
struct VAPIDAuthorization {
  /// The longest value that is read at all. One with the longest subject has about 1,800 characters.
  static let lengthMaximum = 4096

  private let token: String
  private let publicKey: String

  /// Reads `vapid t=…, k=…`: the scheme in any case, one space, parameters in any order and each once. Parameters
  /// of other names are ignored (RFC 8292 §3).
  init(reading value: String) throws(WebPushCryptoError) {
    guard value.utf8.count <= Self.lengthMaximum, value.utf8.allSatisfy({ (0x20...0x7e).contains($0) }),
      let space = value.firstIndex(of: " "), value[..<space].lowercased() == "vapid"
    else { throw .authorizationMalformed }
    var parameters: [String: String] = [:]
    let list = value[value.index(after: space)...]
    for parameter in list.split(separator: ",", omittingEmptySubsequences: false) {
      let trimmed = Self.trimmed(parameter)
      guard let equals = trimmed.firstIndex(of: "=") else { throw .authorizationMalformed }
      let name = trimmed[..<equals].lowercased()
      let value = trimmed[trimmed.index(after: equals)...]
      guard !name.isEmpty, !value.isEmpty, !name.contains(" "), !value.contains(" "),
        parameters.updateValue(String(value), forKey: name) == nil
      else { throw .authorizationMalformed }
    }
    guard let token = parameters["t"], let publicKey = parameters["k"] else {
      throw .authorizationMalformed
    }
    self.token = token
    self.publicKey = publicKey
  }

  /// The claims, if `k` signed `t` and both are in order.
  func verifiedClaims() throws(WebPushCryptoError) -> VAPIDClaims {
    guard let point = Base64URL.decode(publicKey), let key = try? P256PublicKey(uncompressed: point)
    else { throw .tokenKey }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(String(parts[0])),
      let claims = Base64URL.decode(String(parts[1])), let signature = Base64URL.decode(String(parts[2]))
    else { throw .tokenMalformed }
    guard key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)) else {
      throw .tokenSignature
    }
    guard let headerMembers = Self.flatObject(header), headerMembers["alg"] == "ES256",
      headerMembers["typ"] ?? "JWT" == "JWT", let members = Self.flatObject(claims)
    else { throw .tokenMalformed }
    guard let audience = members["aud"]?.string, VAPIDAudience.isOrigin(audience) else { throw .audience }
    guard let expiresAt = members["exp"]?.integer, expiresAt > 0 else { throw .expiry }
    let subject: String?
    switch members["sub"] {
    case nil: subject = nil
    case .string(let text): subject = text
    default: throw .subject
    }
    return VAPIDClaims(
      audience: audience, expiresAt: expiresAt, subject: subject, publicKey: publicKey)
  }

  /// An object that holds no array and no object; nil for anything else.
  private static func flatObject(_ octets: [UInt8]) -> JSONObject? {
    try? StrictJSON.parse(octets, limits: JSONLimits(octets: lengthMaximum, depth: 1)).object
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}
