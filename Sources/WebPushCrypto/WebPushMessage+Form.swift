import CryptoPrimitives

extension WebPushMessage {
  /// Checks as much of a body as can be seen without a key, as a strict push server does (RFC 8188 §2.1, RFC 8291 §4): a
  /// whole header, a public key as `keyid`, and behind it one record that `rs` has room for. Throws by the kind of fault.
  package static func checkForm(of body: [UInt8]) throws(WebPushCryptoError) {
    let header = try EncryptedContentHeader(readingFrom: body)
    guard header.keyid.count == P256PublicKey.length else { throw .keyidLength }
    guard (try? P256PublicKey(uncompressed: header.keyid)) != nil else { throw .keyidNotAPoint }
    let record = body.count - header.length
    guard record >= EncryptedContentEncoding.recordOverhead else { throw .truncated }
    guard record <= header.recordSize else { throw .notOneRecord }
  }
}
