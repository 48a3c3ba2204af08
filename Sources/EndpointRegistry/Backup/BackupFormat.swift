internal import CryptoPrimitives

/// The form of a backup: the first line; the manifest, one line of JSON; the parts, one after the other, as long as the
/// manifest says; and one line with the SHA-256 of everything before it. Every octet of the file is one of these.
enum BackupFormat {
  /// What every version of the form begins with.
  static let family = Array("wake-backup-".utf8)
  /// The first line of this version.
  static let firstLine = family + Array("1\n".utf8)
  /// Octets of a manifest: two parts take less than one KiB.
  static let manifestMaximum = 4_096
  /// Octets within which the first part begins.
  static let headMaximum = firstLine.count + manifestMaximum + 1
  /// Octets of the last line: 64 hexadecimal digits and a line end.
  static let lastLineLength = 65
  /// Octets that are read and written at a time.
  static let chunk = 262_144
  /// Pages that SQLite copies between two looks at the progress: 4 MiB.
  static let pagesAtATime: Int32 = 1_024

  /// The last line, for the digest of everything before it.
  static func lastLine(_ digest: [UInt8]) -> [UInt8] { Array("\(Hex.encode(digest))\n".utf8) }
}
