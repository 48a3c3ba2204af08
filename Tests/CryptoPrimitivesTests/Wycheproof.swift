import CryptoPrimitives
import TestSupport
import Testing

/// The frame that all files of the collection share. Members that no test looks at are declared, so that a new one
/// is noticed.
struct Wycheproof<Group: Codable>: Codable {
  struct Note: Codable {
    var bugType: String
    var description: String
    var effect: String?
    var cves: [String]?
  }

  var algorithm: String
  var schema: String
  var numberOfTests: Int
  var header: [String]
  var notes: [String: Note]
  var testGroups: [Group]

  /// Reads `wycheproof/<name>.json`.
  static func read(_ name: String) throws -> Wycheproof {
    try StrictDecoding.decode(Wycheproof.self, from: Vectors.data(WycheproofTests.path(name)))
  }
}

/// Where a group comes from.
struct WycheproofSource: Codable {
  var name: String
  var version: String
}

/// What an implementation has to do; `acceptable` leaves it the choice to refuse.
enum WycheproofResult: String, Codable {
  case valid, invalid, acceptable
}

/// Octets, in hexadecimal in the file.
struct HexOctets: Codable {
  var octets: [UInt8]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let octets = Hex.decode(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
    }
    self.octets = octets
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Hex.encode(octets))
  }
}
