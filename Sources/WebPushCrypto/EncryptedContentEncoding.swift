import CryptoPrimitives

/// The content coding `aes128gcm` (RFC 8188), in both directions, for any keying material and any number of records.
package enum EncryptedContentEncoding {
  /// What a record holds besides plaintext and padding: the delimiter and the tag.
  package static let recordOverhead = 1 + AESGCM.tagLength

  /// What goes into one record.
  package struct Record: Sendable {
    /// The record's share of the content.
    package let plaintext: [UInt8]
    /// Zeros after the delimiter.
    package let padding: Int

    /// Puts the two together.
    package init(_ plaintext: [UInt8], padding: Int = 0) {
      self.plaintext = plaintext
      self.padding = padding
    }
  }

  /// Encrypts `plaintext`, cut into as few records as it fits. `padding` zeros go into the last one.
  package static func encode(
    _ plaintext: [UInt8], header: EncryptedContentHeader, inputKeyMaterial: [UInt8], padding: Int = 0
  ) throws(WebPushCryptoError) -> [UInt8] {
    let share = header.recordSize - recordOverhead
    var records: [Record] = []
    var start = 0
    while plaintext.count - start > share {
      records.append(Record(Array(plaintext[start..<start + share])))
      start += share
    }
    records.append(Record(Array(plaintext[start...]), padding: padding))
    return try encode(records, header: header, inputKeyMaterial: inputKeyMaterial)
  }

  /// Encrypts records as they are. Throws `recordLength` where there is none or one before the last does not fill
  /// `rs`, and `plaintextTooLong` where one is longer.
  package static func encode(
    _ records: [Record], header: EncryptedContentHeader, inputKeyMaterial: [UInt8]
  ) throws(WebPushCryptoError) -> [UInt8] {
    guard !records.isEmpty else { throw .recordLength }
    let keys = try EncryptedContentKeys(inputKeyMaterial: inputKeyMaterial, salt: header.salt)
    let share = header.recordSize - recordOverhead
    var body = header.octets
    for (sequence, record) in records.enumerated() {
      let isLast = sequence == records.count - 1
      guard record.padding >= 0 else { throw .paddingLength }
      guard record.plaintext.count <= share, record.padding <= share - record.plaintext.count else {
        throw .plaintextTooLong(maximum: max(0, share - record.padding))
      }
      guard isLast || record.plaintext.count + record.padding == share else { throw .recordLength }
      var content = record.plaintext
      content.reserveCapacity(content.count + 1 + record.padding)
      content.append(isLast ? Delimiter.last : Delimiter.notLast)
      content.append(contentsOf: repeatElement(0, count: record.padding))
      do throws(CryptoError) {
        body += try keys.cek.withOctets { (cek) throws(CryptoError) in
          try AESGCM.seal(content, key: cek, nonce: keys.nonce(ofRecord: sequence), associatedData: [])
        }
      } catch {
        throw WebPushCryptoError(error)
      }
    }
    return body
  }

  /// Decrypts a whole body. `inputKeyMaterial` is asked for the keying material that the header's `keyid` names.
  package static func decode(
    _ body: [UInt8],
    inputKeyMaterial: (EncryptedContentHeader) throws(WebPushCryptoError) -> [UInt8]
  ) throws(WebPushCryptoError) -> [UInt8] {
    let header = try EncryptedContentHeader(readingFrom: body)
    guard body.count > header.length else { throw .truncated }
    let keys = try EncryptedContentKeys(inputKeyMaterial: inputKeyMaterial(header), salt: header.salt)
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(body.count - header.length)
    var start = header.length
    var sequence = 0
    while start < body.count {
      let end = min(body.count, start + header.recordSize)
      plaintext += try open(
        Array(body[start..<end]), keys: keys, sequence: sequence, isLast: end == body.count)
      start = end
      sequence += 1
    }
    return plaintext
  }

  /// The octet after a record's plaintext (RFC 8188 §2).
  enum Delimiter {
    static let notLast: UInt8 = 0x01
    static let last: UInt8 = 0x02
  }

  /// The plaintext of one record, without delimiter and padding.
  private static func open(
    _ record: [UInt8], keys: EncryptedContentKeys, sequence: Int, isLast: Bool
  ) throws(WebPushCryptoError) -> [UInt8] {
    guard record.count >= recordOverhead else { throw .truncated }
    var content: [UInt8]
    do throws(CryptoError) {
      content = try keys.cek.withOctets { (cek) throws(CryptoError) in
        try AESGCM.open(record, key: cek, nonce: keys.nonce(ofRecord: sequence), associatedData: [])
      }
    } catch {
      throw WebPushCryptoError(error)
    }
    // The last octet that is not zero is the delimiter. Plaintext may end in zeros, or in 0x02, before it.
    guard let delimiter = content.lastIndex(where: { $0 != 0 }),
      content[delimiter] == (isLast ? Delimiter.last : Delimiter.notLast)
    else { throw .badDelimiter }
    content.removeLast(content.count - delimiter)
    return content
  }
}
