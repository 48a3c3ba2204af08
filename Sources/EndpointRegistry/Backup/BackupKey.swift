package import CryptoPrimitives

/// The service key, and the passphrase under which it goes into a backup.
package struct BackupKey: Sendable {
  /// Characters of a passphrase. A file in strangers' hands can be tried at a few guesses a second for each machine:
  /// twelve letters or figures chosen at random outlast that, four words from a list of thousands do too.
  package static let passphraseLengthMinimum = 12

  let serviceKey: SecretOctets
  let passphrase: SecretOctets

  /// Refuses a passphrase that is too short.
  package init(serviceKey: SecretOctets, passphrase: SecretOctets) throws(BackupFault) {
    let length = passphrase.withOctets { String(decoding: $0, as: UTF8.self).count }
    guard length >= Self.passphraseLengthMinimum else { throw .passphraseTooShort }
    self.serviceKey = serviceKey
    self.passphrase = passphrase
  }
}
