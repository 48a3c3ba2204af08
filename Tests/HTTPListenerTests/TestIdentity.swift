import CryptoPrimitives
import HTTPListener

/// A fresh certificate of the tests, for loopback.
struct TestIdentity: Sendable {
  let identity: TLSIdentity
  let slot: TLSIdentitySlot
  let pem: [UInt8]
  let fingerprint: String

  static func make() throws -> TestIdentity {
    let made = try files()
    let identity = try TLSIdentity(chainPEM: made.certificatePEM, keyPEM: made.keyPEM.octets)
    return TestIdentity(
      identity: identity, slot: TLSIdentitySlot(identity), pem: made.certificatePEM,
      fingerprint: try Certificate(firstOf: made.certificatePEM).fingerprint)
  }

  static func files() throws -> SelfSignedCertificate {
    // Valid from 2020 to 2120.
    try SelfSignedCertificate(
      hosts: [.name("localhost"), .address([127, 0, 0, 1])], validSeconds: 1_577_836_800...4_733_510_400,
      random: .system)
  }
}
