/// The header in front of encrypted content: `salt (16) ‖ rs (4) ‖ idlen (1) ‖ keyid (idlen)` (RFC 8188 §2.1).
package struct EncryptedContentHeader: Sendable, Equatable {
  /// Octets of a salt.
  package static let saltLength = 16
  /// Octets before `keyid`.
  package static let lengthMinimum = saltLength + 4 + 1
  /// The smallest `rs`: a tag, a delimiter and one octet.
  package static let recordSizeMinimum = 18
  /// The largest `rs`: four octets.
  package static let recordSizeMaximum = Int(UInt32.max)
  /// The longest `keyid`: one octet counts it.
  package static let keyidLengthMaximum = Int(UInt8.max)

  /// 16 octets that never come twice with one input keying material.
  package let salt: [UInt8]
  /// Octets of every record but the last, tag included: 18 or more.
  package let recordSize: Int
  /// What names the key: 0 to 255 octets.
  package let keyid: [UInt8]

  /// Checks the three values.
  package init(salt: [UInt8], recordSize: Int, keyid: [UInt8]) throws(WebPushCryptoError) {
    guard salt.count == Self.saltLength else { throw .saltLength }
    try Self.check(recordSize: recordSize)
    guard keyid.count <= Self.keyidLengthMaximum else { throw .keyidLength }
    self.salt = salt
    self.recordSize = recordSize
    self.keyid = keyid
  }

  /// Reads the header at the start of `body`. Throws `truncated` where the body ends before it, and what the other
  /// initializer throws.
  package init(readingFrom body: [UInt8]) throws(WebPushCryptoError) {
    guard body.count >= Self.lengthMinimum else { throw .truncated }
    let keyidEnd = Self.lengthMinimum + Int(body[Self.lengthMinimum - 1])
    guard body.count >= keyidEnd else { throw .truncated }
    let recordSize = body[Self.saltLength..<Self.saltLength + 4].reduce(0) { $0 << 8 | Int($1) }
    try self.init(
      salt: Array(body[..<Self.saltLength]), recordSize: recordSize,
      keyid: Array(body[Self.lengthMinimum..<keyidEnd]))
  }

  /// Octets of the header.
  package var length: Int { Self.lengthMinimum + keyid.count }

  /// The header as it is sent.
  package var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(length)
    Self.append(salt: salt, recordSize: recordSize, keyid: keyid, to: &octets)
    return octets
  }

  /// Throws where no header has such a record size.
  static func check(recordSize: Int) throws(WebPushCryptoError) {
    guard recordSize >= recordSizeMinimum else { throw .recordSizeTooSmall }
    guard recordSize <= recordSizeMaximum else { throw .recordSizeTooLarge }
  }

  /// Appends a header of values that were checked.
  static func append(salt: [UInt8], recordSize: Int, keyid: [UInt8], to body: inout [UInt8]) {
    body += salt
    for shift in [24, 16, 8, 0] { body.append(UInt8(truncatingIfNeeded: recordSize >> shift)) }
    body.append(UInt8(keyid.count))
    body += keyid
  }
}
