internal import CryptoPrimitives

/// A backup that is read. Its head is checked when it is opened, everything else by `verify`.
package struct BackupReader: ~Copyable {
  private let file: DataFile
  private let head: BackupHead
  let manifest: BackupManifest

  /// What is in the backup.
  package var contents: BackupContents { manifest.contents }
  /// Where it lies.
  package var path: String { file.path }
  /// Octets of the whole file.
  package var length: Int64 { head.fileLength }

  /// Opens the backup at `path` and reads its manifest; throws a `BackupFault` for what is none, or is cut.
  package init(_ path: String) throws(RegistryError) {
    let file = try DataFile(reading: path)
    let octets = try file.read(BackupFormat.headMaximum)
    let length = try file.length()
    do throws(BackupFault) {
      head = try BackupHead(octets, fileLength: length)
    } catch {
      throw .backup(error, path: path)
    }
    manifest = head.manifest
    self.file = file
  }

  /// Reads all of it, and throws where one octet is not the one that was written.
  package borrowing func verify(_ progress: (BackupProgress) -> Void = { _ in }) throws(RegistryError) {
    try file.seek(to: 0)
    var whole = RunningSHA256()
    whole.update(try file.read(head.length))
    var done: Int64 = 0
    for part in manifest.parts {
      try read(part) { octets throws(RegistryError) in
        whole.update(octets)
        done += Int64(octets.count)
        progress(.packing(done: done, of: head.partsSize))
      }
    }
    guard try file.read(BackupFormat.lastLineLength + 1) == BackupFormat.lastLine(whole.finish()) else {
      throw .backup(.digestMismatch("whole file"), path: path)
    }
  }

  /// Hands over a part, piece by piece, and compares it with its digest at the end.
  borrowing func read(
    _ name: BackupManifest.Part.Name, _ body: ([UInt8]) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    var offset = Int64(head.length)
    for part in manifest.parts {
      if part.name == name {
        try file.seek(to: offset)
        return try read(part, body)
      }
      offset += part.size
    }
  }

  /// The part that the file stands at.
  private borrowing func read(
    _ part: BackupManifest.Part, _ body: ([UInt8]) throws(RegistryError) -> Void
  ) throws(RegistryError) {
    var digest = RunningSHA256()
    var rest = part.size
    while rest > 0 {
      let octets = try file.read(Int(min(rest, Int64(BackupFormat.chunk))))
      guard !octets.isEmpty else { throw .backup(.wrongLength, path: path) }
      digest.update(octets)
      try body(octets)
      rest -= Int64(octets.count)
    }
    guard digest.finish() == part.digest else {
      throw .backup(.digestMismatch(part.name.rawValue), path: path)
    }
  }
}
