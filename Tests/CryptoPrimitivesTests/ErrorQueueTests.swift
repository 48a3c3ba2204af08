import Testing

@testable import CryptoPrimitives

@Suite("OpenSSL's error queue")
struct ErrorQueueTests {
  @Test("is empty after every kind of refusal, so that no later call finds another's error")
  func drained() throws {
    OpenSSLResult.drain()
    let pair = try P256PrivateKey.generate()
    let offCurve: [UInt8] = [0x04] + [UInt8](repeating: 1, count: 64)
    let refusals: [() throws -> Void] = [
      { _ = try P256PublicKey(uncompressed: offCurve) },
      { _ = try P256PrivateKey(scalar: [UInt8](repeating: 0xff, count: 32)) },
      {
        _ = try AESGCM.open(
          [UInt8](repeating: 0, count: 20), key: [UInt8](repeating: 0, count: 16),
          nonce: [UInt8](repeating: 0, count: 12), associatedData: [])
      },
      { _ = try ECDSASignature(der: [0x30, 0x01]) },
    ]
    for refuse in refusals {
      #expect(throws: CryptoError.self) { try refuse() }
      #expect(OpenSSLResult.drain() == 0)
    }
    #expect(!pair.publicKey.isValidSignature([UInt8](repeating: 0xff, count: 64), for: []))
    #expect(OpenSSLResult.drain() == 0)
  }

  @Test("gives its newest code to the error, whose sentence names operation and code alone")
  func code() throws {
    let offCurve: [UInt8] = [0x04] + [UInt8](repeating: 1, count: 64)
    let error = #expect(throws: CryptoError.self) { _ = try EVPKey.publicKey(uncompressed: offCurve) }
    guard case .openSSL(let operation, let code) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(operation == "EVP_PKEY_set1_encoded_public_key")
    #expect(code != 0)
    #expect(error?.description == "OpenSSL refused \(operation) (error \(String(code, radix: 16)))")
  }
}
