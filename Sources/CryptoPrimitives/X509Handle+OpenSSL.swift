import COpenSSL

/// Owns one X509.
@safe
struct X509Handle: ~Copyable {
  let pointer: OpaquePointer

  init(takingOwnershipOf pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) {
    unsafe self.pointer = try OpenSSLResult.check(pointer, operation)
  }

  deinit { unsafe X509_free(pointer) }

  /// The first certificate in PEM text; other blocks before it are passed over.
  init(firstOf pem: [UInt8]) throws(CryptoError) {
    let memory = try MemoryBIO.holding(pem)
    // Without a callback of ours OpenSSL would ask the terminal for the passphrase of an encrypted block.
    let read = unsafe PEM_read_bio_X509(memory.pointer, nil, { _, _, _, _ in -1 }, nil)
    guard let read = unsafe read else {
      OpenSSLResult.drain()
      throw .invalidCertificate
    }
    unsafe pointer = read
  }

  /// The octets that a fingerprint is made over.
  func der() throws(CryptoError) -> [UInt8] {
    let length = unsafe i2d_X509(pointer, nil)
    guard length > 0 else { throw OpenSSLResult.failure("i2d_X509") }
    var octets = [UInt8](repeating: 0, count: Int(length))
    let written = unsafe octets.withUnsafeMutableBufferPointer { buffer in
      var place = buffer.baseAddress
      return unsafe i2d_X509(pointer, &place)
    }
    guard written == length else { throw OpenSSLResult.failure("i2d_X509") }
    return octets
  }

  /// Whether the certificate names itself as its issuer and was signed with its own key.
  func isSelfSigned() -> Bool {
    defer { OpenSSLResult.drain() }
    let names = unsafe X509_NAME_cmp(X509_get_subject_name(pointer), X509_get_issuer_name(pointer))
    return unsafe names == 0 && X509_verify(pointer, X509_get0_pubkey(pointer)) == 1
  }

  /// The last second of its validity, since 1970.
  func notAfterSeconds() throws(CryptoError) -> Int64 {
    let epoch = unsafe ASN1_TIME_set(nil, 0)
    defer { unsafe ASN1_TIME_free(epoch) }
    var (days, seconds): (Int32, Int32) = (0, 0)
    try OpenSSLResult.check(
      unsafe ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(pointer)), "ASN1_TIME_diff")
    return Int64(days) * 86_400 + Int64(seconds)
  }

  /// The names and addresses of its subjectAltName, in order.
  func hosts() -> [CertificateHost] {
    defer { OpenSSLResult.drain() }
    guard let list = unsafe X509_get_ext_d2i(pointer, NID_subject_alt_name, nil, nil) else { return [] }
    let names = OpaquePointer(list)
    defer { unsafe GENERAL_NAMES_free(names) }
    return unsafe (0..<OPENSSL_sk_num(names)).compactMap { index in
      unsafe Self.host(OPENSSL_sk_value(names, index)?.assumingMemoryBound(to: GENERAL_NAME.self))
    }
  }

  private static func host(_ name: UnsafePointer<GENERAL_NAME>?) -> CertificateHost? {
    var type: Int32 = 0
    guard let name = unsafe name, let value = unsafe GENERAL_NAME_get0_value(name, &type),
      type == GEN_DNS || type == GEN_IPADD
    else { return nil }
    let text = unsafe value.assumingMemoryBound(to: ASN1_STRING.self)
    let octets = unsafe Array(
      UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: Int(ASN1_STRING_length(text))))
    return type == GEN_DNS ? .name(String(decoding: octets, as: UTF8.self)) : .address(octets)
  }
}
