import COpenSSL

/// A fresh ECDSA P-256 key and a certificate for it that it signs itself (RFC 5280 §3.2), both in PEM form.
package struct SelfSignedCertificate: Sendable {
  package let certificatePEM: [UInt8]
  /// The private key, PKCS #8.
  package let keyPEM: SecretOctets

  /// Octets of a serial number: 128 bits, of which RFC 5280 §4.1.2.2 takes 20 octets at most.
  private static let serialLength = 16
  /// Characters of a common name: ub-common-name of RFC 5280 appendix A.1.
  private static let commonNameMaximum = 64
  /// Version 3, as it is counted from 0.
  private static let version3 = 2

  /// Makes one for `hosts`, the first of which is its common name, valid for these seconds since 1970.
  package init(
    hosts: [CertificateHost], validSeconds: ClosedRange<Int64>, random: RandomOctets
  ) throws(CryptoError) {
    let key = try EVPKey.generate()
    let certificate = try unsafe X509Handle(takingOwnershipOf: X509_new(), "X509_new")
    let x509 = unsafe certificate.pointer
    try OpenSSLResult.check(unsafe X509_set_version(x509, Self.version3), "X509_set_version")
    try Self.setSerial(of: certificate, random)
    unsafe ASN1_TIME_set(X509_getm_notBefore(x509), Int(validSeconds.lowerBound))
    unsafe ASN1_TIME_set(X509_getm_notAfter(x509), Int(validSeconds.upperBound))
    try OpenSSLResult.check(unsafe X509_set_pubkey(x509, key.pointer), "X509_set_pubkey")
    try Self.setNames(of: certificate, to: hosts)
    try Self.add(NID_basic_constraints, "critical,CA:FALSE", to: certificate)
    try Self.add(NID_key_usage, "critical,digitalSignature", to: certificate)
    try Self.add(NID_ext_key_usage, "serverAuth", to: certificate)
    let names = hosts.compactMap(\.configurationText)
    guard !names.isEmpty, names.count == hosts.count else { throw .invalidCertificate }
    try Self.add(NID_subject_alt_name, names.joined(separator: ","), to: certificate)
    guard try unsafe X509_sign(x509, key.pointer, Algorithms.sha256.get().pointer) > 0 else {
      throw OpenSSLResult.failure("X509_sign")
    }

    let output = try MemoryBIO()
    try OpenSSLResult.check(unsafe PEM_write_bio_X509(output.pointer, x509), "PEM_write_bio_X509")
    certificatePEM = try output.octets()
    let secret = try MemoryBIO()
    try OpenSSLResult.check(
      unsafe PEM_write_bio_PKCS8PrivateKey(secret.pointer, key.pointer, nil, nil, 0, nil, nil),
      "PEM_write_bio_PKCS8PrivateKey")
    var octets = try secret.octets()
    defer { octets.cleanse() }
    keyPEM = SecretOctets(octets)
  }

  private static func setSerial(of certificate: borrowing X509Handle, _ random: RandomOctets)
    throws(CryptoError)
  {
    // A number of 128 bits is positive by its making; the lowest bit keeps it from being zero.
    var octets = random(serialLength)
    octets[serialLength - 1] |= 1
    let number = try BigNumber(octets)
    let set = unsafe BN_to_ASN1_INTEGER(number.pointer, X509_get_serialNumber(certificate.pointer))
    guard unsafe set != nil else { throw OpenSSLResult.failure("BN_to_ASN1_INTEGER") }
  }

  /// The subject, and the same as the issuer.
  private static func setNames(of certificate: borrowing X509Handle, to hosts: [CertificateHost])
    throws(CryptoError)
  {
    var common = hosts.first?.configurationText.map { String($0.drop { $0 != ":" }.dropFirst()) } ?? ""
    if common.isEmpty || common.utf8.count > commonNameMaximum { common = "wake" }
    let name = unsafe X509_get_subject_name(certificate.pointer)
    let added = unsafe X509_NAME_add_entry_by_NID(
      name, NID_commonName, MBSTRING_FLAG | 1, Array(common.utf8), Int32(common.utf8.count), -1, 0)
    try OpenSSLResult.check(added, "X509_NAME_add_entry_by_NID")
    try OpenSSLResult.check(unsafe X509_set_issuer_name(certificate.pointer, name), "X509_set_issuer_name")
  }

  /// Adds an extension from its text form (`x509v3_config(5)`); `text` holds nothing that was not checked.
  private static func add(_ identifier: Int32, _ text: String, to certificate: borrowing X509Handle)
    throws(CryptoError)
  {
    let made = unsafe X509V3_EXT_conf_nid(nil, nil, identifier, text)
    guard let made = unsafe made else { throw OpenSSLResult.failure("X509V3_EXT_conf_nid") }
    defer { unsafe X509_EXTENSION_free(made) }
    try OpenSSLResult.check(unsafe X509_add_ext(certificate.pointer, made, -1), "X509_add_ext")
  }
}
