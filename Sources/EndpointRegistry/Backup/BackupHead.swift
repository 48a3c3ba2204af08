/// The first two lines of a backup, held against the length of the file.
struct BackupHead {
  let manifest: BackupManifest
  /// Octets of the two lines.
  let length: Int
  /// Octets of all parts.
  let partsSize: Int64
  /// Octets of the whole file.
  let fileLength: Int64

  /// Reads what `octets`, the beginning of a file of `fileLength`, say.
  init(_ octets: [UInt8], fileLength: Int64) throws(BackupFault) {
    guard octets.starts(with: BackupFormat.family) else { throw .notABackup }
    guard octets.starts(with: BackupFormat.firstLine) else { throw .newerFormat }
    let rest = octets.dropFirst(BackupFormat.firstLine.count)
    guard let end = rest.firstIndex(of: 0x0A) else {
      // Cut, or with a line that none of ours is as long as.
      throw octets.count < BackupFormat.headMaximum ? .wrongLength : .malformedManifest
    }
    manifest = try BackupManifest(parsing: Array(rest[..<end]))
    length = end + 1
    let frame = Int64(length + BackupFormat.lastLineLength)
    guard let partsSize = manifest.partsSize, partsSize <= fileLength, fileLength - partsSize == frame else {
      throw .wrongLength
    }
    self.partsSize = partsSize
    self.fileLength = fileLength
  }
}
