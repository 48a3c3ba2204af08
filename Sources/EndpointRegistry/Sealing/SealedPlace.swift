internal import CryptoPrimitives

/// Where a sealed value stands: table, row and column are its associated data, so that it opens nowhere else.
struct SealedPlace: Sendable {
  private let table: String
  private let row: String
  private let name: String

  /// `row` is what names the row for good: an id, never a number that a copy of the table would change.
  init(_ table: String, _ row: String, _ column: String) {
    self.table = table
    self.row = row
    name = column
  }

  /// `table/column`, for errors.
  var column: String { "\(table)/\(name)" }

  /// `nonce ‖ ciphertext ‖ tag` with AES-256-GCM and a fresh random nonce.
  func seal(
    _ plaintext: [UInt8], key: SecretOctets, random: RandomOctets
  ) throws(RegistryError) -> [UInt8] {
    let nonce = random(AESGCM.nonceLength)
    do throws(CryptoError) {
      return try key.withOctets { (octets) throws(CryptoError) in
        nonce + (try AESGCM.seal(plaintext, key: octets, nonce: nonce, associatedData: associatedData))
      }
    } catch {
      throw .cryptography(operation: "seal \(column)")
    }
  }

  /// The plaintext; `sealBroken` where one bit differs, the key is another one, or the value was moved here.
  func open(_ sealed: [UInt8], key: SecretOctets) throws(RegistryError) -> [UInt8] {
    do throws(CryptoError) {
      return try key.withOctets { (octets) throws(CryptoError) in
        try AESGCM.open(
          Array(sealed.dropFirst(AESGCM.nonceLength)), key: octets,
          nonce: Array(sealed.prefix(AESGCM.nonceLength)), associatedData: associatedData)
      }
    } catch {
      throw .sealBroken(column)
    }
  }

  /// The same for the one key of many columns.
  func open(_ sealed: [UInt8], with openers: SealOpeners) throws(RegistryError) -> [UInt8] {
    do throws(CryptoError) {
      return try openers.open(sealed, associatedData: associatedData)
    } catch {
      throw .sealBroken(column)
    }
  }

  /// `table/row/column` in UTF-8.
  private var associatedData: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(table.utf8.count + row.utf8.count + name.utf8.count + 2)
    octets += table.utf8
    octets.append(UInt8(ascii: "/"))
    octets += row.utf8
    octets.append(UInt8(ascii: "/"))
    octets += name.utf8
    return octets
  }
}
