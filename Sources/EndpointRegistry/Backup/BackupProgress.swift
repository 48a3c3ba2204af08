/// Where the making, checking or restoring of a backup stands.
package enum BackupProgress: Sendable, Equatable {
  /// Pages of the store that were copied.
  case copying(done: Int64, of: Int64)
  /// What does not belong into a backup is removed from the copy, and the copy is checked.
  case cleaning
  /// Octets that were written, or read and compared.
  case packing(done: Int64, of: Int64)
  /// Everything is on disk under another name and gets its own next.
  case publishing
  /// The restored store is checked and led to the newest schema.
  case preparing
  /// The service key of the backup is put into its place next.
  case installingKey
  /// The old store gets its second name next.
  case settingAside
  /// The restored store takes the old one's place next.
  case replacing
}
