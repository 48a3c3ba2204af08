/// What is wrong with a backup, or with where it is to be written or restored to.
package enum BackupFault: Error, Equatable, Sendable {
  /// The file is something else.
  case notABackup
  /// A later program made it, in a form that this one does not know.
  case newerFormat
  /// The manifest is not one that this program writes.
  case malformedManifest
  /// The file is shorter or longer than its manifest says.
  case wrongLength
  /// The octets of a part, or of the whole file, are not those that were written.
  case digestMismatch(String)
  /// A file is there already.
  case fileExists
  /// What is there is no backup, and is not replaced by one.
  case notReplaceable
  /// A store is there already.
  case storeExists
  /// Another process writes there at this moment.
  case inProgress
  /// Fewer than `BackupKey.passphraseLengthMinimum` characters.
  case passphraseTooShort
  /// The service key is in the backup, under a passphrase that nobody gave.
  case passphraseMissing
  /// The passphrase does not open the service key.
  case wrongPassphrase
}
