import CryptoPrimitives
import Testing
import WakeServer

@Suite("The pairing link")
struct PairingLinkTests {
  private static let key =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
  private static let code = "wkp_" + String(repeating: "A", count: 43)
  private static let fingerprint = String(repeating: "0123456789abcdef", count: 4)
  /// A good link's members.
  private static let members = [
    "url=https://wake.example:8443/base", "stack=first-home", "key=\(key)", "fingerprint=\(fingerprint)",
    "code=\(code)", "expires=1767225600",
  ]

  private static func uri(_ members: [String]) -> String { "wake://pair?" + members.joined(separator: "&") }

  @Test("what is written is read back", arguments: [fingerprint, nil])
  func roundTrip(fingerprint: String?) throws {
    let link = PairingLink(
      baseURL: "https://wake.example:8443/a+b&c=d%20e;f", stack: "first-home", vapidPublicKey: Self.key,
      fingerprint: fingerprint, code: Self.code, expires: 1_767_225_600)
    #expect(PairingLink(link.uri) == link)
    #expect(!link.uri.contains("+") && link.uri.contains("fingerprint=") == (fingerprint != nil))
  }

  @Test("members come in any order, what is not known is passed over, a slash at the end of the address too")
  func reading() throws {
    let unknown = ["v=2", "url2=x", "flag", "v=3"]
    let link = try #require(PairingLink(Self.uri((Self.members + unknown).reversed())))
    #expect(link.baseURL == "https://wake.example:8443/base" && link.stack == "first-home")
    #expect(link.vapidPublicKey == Self.key && link.fingerprint == Self.fingerprint)
    #expect(link.code == Self.code && link.expires == 1_767_225_600)
    #expect(PairingLink("WAKE://PAIR" + Self.uri(Self.members).dropFirst("wake://pair".count)) == link)
    #expect(PairingLink(Self.uri(["url=https://wake.example:8443/base/"] + Self.members.dropFirst())) == link)
  }

  @Test("everything but the fingerprint must be there, and nothing twice", arguments: 0..<6)
  func missing(index: Int) {
    let name = String(Self.members[index].prefix { $0 != "=" })
    var without = Self.members
    without.remove(at: index)
    #expect((PairingLink(Self.uri(without)) != nil) == (name == "fingerprint"))
    for empty in ["\(name)=", name] { #expect(PairingLink(Self.uri(without + [empty])) == nil) }
    for second in ["\(name)=", name, Self.members[index]] {
      #expect(PairingLink(Self.uri(Self.members + [second])) == nil)
    }
  }

  @Test(
    "a member that is not of its form is refused",
    arguments: [
      (
        0,
        [
          "wake.example", "ftp://wake.example", "https://", "https://u@wake.example", "https://w%23f", "//h",
          "a b",
        ]
      ),
      (
        0,
        [
          "https://wake.example?q", "https://wake.example%3Fq", "https:wake.example",
          "https://w%C3%A4ke.example",
        ]
      ),
      (1, ["home", "first home", String(repeating: "s", count: 65), "first/home"]),
      (2, ["AAAA", String(repeating: "A", count: 87), key + "A", String(key.dropLast()) + "+", key + "="]),
      (3, ["x", String(fingerprint.dropLast()), fingerprint + "0", fingerprint.uppercased()]),
      (3, [String(fingerprint.dropLast()) + "g", String(fingerprint.dropLast(2)) + "%C3%A9"]),
      (4, ["wkd_" + String(repeating: "A", count: 43), "wkp_A", code + "A", code.uppercased()]),
      (5, ["soon", "-1", "+1", "1.5", "0x10", "99999999999999999999", "%201"]),
    ])
  func malformed(index: Int, values: [String]) {
    for value in values {
      var members = Self.members
      members[index] = members[index].prefix { $0 != "=" } + "=" + value
      #expect(PairingLink(Self.uri(members)) == nil, "\(members[index])")
    }
  }

  @Test("another URI with the same members is no link")
  func others() {
    for start in ["https://pair?", "wake://peer?", "wake:pair?", "wake://?", "//pair?", "?", ""] {
      #expect(PairingLink(start + Self.members.joined(separator: "&")) == nil, "\(start)")
    }
    #expect(PairingLink("wake://pair") == nil && PairingLink("") == nil)
  }
}
