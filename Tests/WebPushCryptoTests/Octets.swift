import CryptoPrimitives

/// Octets, in unpadded base64url in the vector files.
struct Octets: Codable {
  var octets: [UInt8]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let octets = Base64URL.decode(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
    }
    self.octets = octets
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Base64URL.encode(octets))
  }
}
