/// What a message is made of besides its keys, with every length checked: it is one record, and its body has at most
/// 4096 octets.
struct MessageForm: ~Copyable {
  let plaintext: [UInt8]
  let padding: Int
  let recordSize: Int

  /// Throws `recordSizeTooSmall`, `recordSizeTooLarge`, `paddingLength`, and `plaintextTooLong` where plaintext and
  /// padding fit no body or no record.
  init(_ plaintext: [UInt8], padding: Int, recordSize: Int) throws(WebPushCryptoError) {
    try EncryptedContentHeader.check(recordSize: recordSize)
    guard padding >= 0 else { throw .paddingLength }
    let record = recordSize - EncryptedContentEncoding.recordOverhead
    let maximum = min(WebPushMessage.plaintextLengthMaximum, record)
    guard plaintext.count <= maximum, padding <= maximum - plaintext.count else {
      throw .plaintextTooLong(maximum: max(0, maximum - padding))
    }
    self.plaintext = plaintext
    self.padding = padding
    self.recordSize = recordSize
  }

  /// The header with `salt` and `keyid`, and the record not yet encrypted, with room for its tag.
  func body(salt: [UInt8], keyid: [UInt8]) -> [UInt8] {
    var body: [UInt8] = []
    body.reserveCapacity(WebPushMessage.overhead + plaintext.count + padding)
    EncryptedContentHeader.append(salt: salt, recordSize: recordSize, keyid: keyid, to: &body)
    body += plaintext
    body.append(EncryptedContentEncoding.Delimiter.last)
    body.append(contentsOf: repeatElement(0, count: padding))
    return body
  }
}
