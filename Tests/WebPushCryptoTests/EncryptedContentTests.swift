import CryptoPrimitives
import Testing
import WebPushCrypto

@Suite("Encrypted content (RFC 8188)")
struct EncryptedContentTests {
  private static let ikm = [UInt8](repeating: 3, count: 16)
  private static let salt = [UInt8](repeating: 5, count: 16)

  private static func header(_ recordSize: Int, keyid: [UInt8] = []) throws -> EncryptedContentHeader {
    try EncryptedContentHeader(salt: salt, recordSize: recordSize, keyid: keyid)
  }

  private static func encode(_ plaintext: [UInt8], recordSize: Int) throws -> [UInt8] {
    try EncryptedContentEncoding.encode(
      plaintext, header: header(recordSize), inputKeyMaterial: ikm)
  }

  private static func decode(_ body: [UInt8]) throws(WebPushCryptoError) -> [UInt8] {
    try EncryptedContentEncoding.decode(body) { _ in ikm }
  }

  @Test("content of any length comes back from records of any size", arguments: [18, 19, 25, 33, 4096])
  func roundTrip(recordSize: Int) throws {
    for length in [0, 1, 2, 7, 8, 9, 16, 17, 255, 256, 600] {
      let plaintext = RandomOctets.system(length)
      let body = try Self.encode(plaintext, recordSize: recordSize)
      #expect(try Self.decode(body) == plaintext)
      let share = recordSize - 17
      let records = max(1, (length + share - 1) / share)
      #expect(body.count == 21 + length + 17 * records)
    }
  }

  @Test("more than 256 records keep their order, so the record's number is more than an octet")
  func manyRecords() throws {
    let plaintext = RandomOctets.system(70_000)
    let body = try Self.encode(plaintext, recordSize: 18)
    #expect(try Self.decode(body) == plaintext)
  }

  @Test("plaintext that ends in zeros and delimiters comes back whole")
  func endings() throws {
    for ending: [UInt8] in [[0], [0, 0, 0], [2], [1], [2, 0], [1, 0, 2, 0, 0]] {
      let body = try EncryptedContentEncoding.encode(
        [9] + ending, header: Self.header(64), inputKeyMaterial: Self.ikm, padding: 5)
      #expect(try Self.decode(body) == [9] + ending)
    }
  }

  @Test("content cut off after any whole record is refused, because its last record says that more follows")
  func cutOff() throws {
    let body = try Self.encode(RandomOctets.system(40), recordSize: 27)
    for records in 1..<4 {
      #expect(throws: WebPushCryptoError.badDelimiter) {
        try Self.decode(Array(body.prefix(21 + 27 * records)))
      }
    }
    #expect(throws: WebPushCryptoError.truncated) { try Self.decode(Array(body.prefix(21))) }
  }

  @Test("content cut off anywhere else is refused too")
  func cutOffInside() throws {
    let body = try Self.encode(RandomOctets.system(40), recordSize: 27)
    #expect(throws: Never.self) { try Self.decode(body) }
    for length in 0..<body.count {
      #expect(throws: WebPushCryptoError.self) { try Self.decode(Array(body.prefix(length))) }
    }
  }

  @Test("records that change places are refused")
  func reordered() throws {
    let body = try Self.encode(RandomOctets.system(30), recordSize: 27)
    let swapped = Array(body[..<21] + body[48..<75] + body[21..<48] + body[75...])
    #expect(throws: WebPushCryptoError.authenticationFailed) { try Self.decode(swapped) }
  }

  @Test("a record after the last one is refused")
  func appended() throws {
    let keys = try EncryptedContentKeys(inputKeyMaterial: Self.ikm, salt: Self.salt)
    let first = try EncryptedContentEncoding.encode(
      [EncryptedContentEncoding.Record([1, 2, 3, 4], padding: 4)], header: Self.header(25),
      inputKeyMaterial: Self.ikm)
    var secondNonce = keys.nonce
    secondNonce[11] ^= 1
    let second = try AESGCM.seal(
      [9, 2], key: keys.cek.octets, nonce: secondNonce, associatedData: [])
    #expect(throws: WebPushCryptoError.badDelimiter) { try Self.decode(first + second) }
  }

  @Test("a keyid of 0 to 255 octets is carried, one of 256 is refused", arguments: [0, 1, 65, 255])
  func keyid(length: Int) throws {
    let keyid = RandomOctets.system(length)
    let header = try Self.header(64, keyid: keyid)
    let body = try EncryptedContentEncoding.encode([7], header: header, inputKeyMaterial: Self.ikm)
    #expect(body[20] == UInt8(length))
    #expect(try EncryptedContentHeader(readingFrom: body) == header)
    let decoded = try EncryptedContentEncoding.decode(body) { asked in
      #expect(asked.keyid == keyid)
      return Self.ikm
    }
    #expect(decoded == [7])
    #expect(throws: WebPushCryptoError.keyidLength) {
      try Self.header(64, keyid: [UInt8](repeating: 0, count: 256))
    }
  }

  @Test("a header with a wrong salt or record size cannot be made")
  func header() {
    #expect(throws: WebPushCryptoError.recordSizeTooSmall) { try Self.header(17) }
    #expect(throws: WebPushCryptoError.recordSizeTooSmall) { try Self.header(-1) }
    #expect(throws: WebPushCryptoError.recordSizeTooLarge) { try Self.header(1 << 32) }
    #expect(throws: WebPushCryptoError.saltLength) {
      try EncryptedContentHeader(salt: [1], recordSize: 18, keyid: [])
    }
  }

  @Test("the largest record size that four octets hold is carried")
  func largestRecordSize() throws {
    let body = try Self.encode([1, 2], recordSize: Int(UInt32.max))
    #expect(Array(body[16..<20]) == [0xff, 0xff, 0xff, 0xff])
    #expect(try Self.decode(body) == [1, 2])
  }

  @Test("records that do not fill the record size, do not fit it or are none are refused")
  func records() throws {
    typealias Record = EncryptedContentEncoding.Record
    let faults: [(WebPushCryptoError, [Record])] = [
      (.recordLength, []),
      (.recordLength, [Record([1]), Record([2])]),
      (.plaintextTooLong(maximum: 8), [Record([UInt8](repeating: 1, count: 9))]),
      (.plaintextTooLong(maximum: 5), [Record([UInt8](repeating: 1, count: 6), padding: 3)]),
      (.plaintextTooLong(maximum: 0), [Record([1], padding: Int.max)]),
      (.paddingLength, [Record([1], padding: -1)]),
    ]
    for (error, records) in faults {
      #expect(throws: error) {
        try EncryptedContentEncoding.encode(
          records, header: Self.header(25), inputKeyMaterial: Self.ikm)
      }
    }
  }
}
