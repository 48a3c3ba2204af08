import CryptoPrimitives
import Foundation

/// Secrets that were planted, and every form in which one could come to light.
struct Canaries {
  /// Names a form of a secret that was found, and where.
  struct Finding: CustomStringConvertible {
    let secret: String
    let form: String
    let place: String

    var description: String { "\(secret), as \(form), in \(place)" }
  }

  private struct Form {
    let secret: String
    let name: String
    let octets: Data
  }

  private var forms: [Form] = []
  /// How many secrets there are.
  private(set) var count = 0

  /// A secret that is text: as it is, in base64 and hex, and escaped as URLs and JSON do.
  mutating func plant(_ secret: String, text: String) {
    count += 1
    let octets = Array(text.utf8)
    add(secret, "text", octets)
    add(secret, "hex", Array(Hex.encode(octets).utf8))
    add(secret, "base64url", Array(Base64URL.encode(octets).utf8))
    let percent = octets.map { "%" + Hex.encode([$0]).uppercased() }.joined()
    add(secret, "percent-encoded", Array(percent.utf8))
    if text.contains("/") {
      add(secret, "JSON with escaped solidi", Array(text.replacing("/", with: "\\/").utf8))
      add(secret, "a percent-encoded path", Array(text.replacing("/", with: "%2F").utf8))
    }
  }

  /// A secret of octets, and what is known by its base64url form: raw, in base64 of both alphabets, and in hex.
  mutating func plant(_ secret: String, octets: [UInt8]) {
    count += 1
    add(secret, "octets", octets)
    let text = Base64URL.encode(octets)
    add(secret, "base64url", Array(text.utf8))
    add(secret, "base64", Array(text.replacing("-", with: "+").replacing("_", with: "/").utf8))
    add(secret, "hex", Array(Hex.encode(octets).utf8))
    add(secret, "HEX", Array(Hex.encode(octets).uppercased().utf8))
  }

  /// A token: its text, and the octets behind it.
  mutating func plant(token secret: String, _ text: String) {
    plant(secret, text: text)
    if let octets = Base64URL.decode(String(text.dropFirst(4))) { plant(secret, octets: octets) }
  }

  private mutating func add(_ secret: String, _ name: String, _ octets: [UInt8]) {
    forms.append(Form(secret: secret, name: name, octets: Data(octets)))
  }

  /// What of all that stands in `data`.
  func findings(in data: Data, _ place: String) -> [Finding] {
    forms.filter { data.range(of: $0.octets) != nil }
      .map { Finding(secret: $0.secret, form: $0.name, place: place) }
  }

  func findings(in text: String, _ place: String) -> [Finding] { findings(in: Data(text.utf8), place) }
}
