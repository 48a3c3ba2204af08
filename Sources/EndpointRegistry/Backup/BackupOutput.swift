/// The file that becomes a backup: it has its own name once it is whole, and another one until then, beside which the
/// other scratch files lie. All of them go with this value; those of a process that was killed are taken over.
struct BackupOutput: ~Copyable {
  let path: String
  let file: DataFile

  /// Where the pages of the store are copied to.
  var copy: String { "\(file.path)-copy" }
  /// Where the cleaned database goes.
  var store: String { "\(file.path)-store" }

  /// `fileExists` where there is something at `path`, unless that may be replaced; `inProgress` where another process
  /// writes the same backup just now.
  init(_ path: String, replacing: Bool) throws(RegistryError) {
    try Self.mayBecome(path, replacing: replacing)
    guard let file = try DataFile(holding: "\(path).part") else { throw .backup(.inProgress, path: path) }
    self.file = file
    self.path = path
    removeScratch()
  }

  /// `fileExists`, and `notReplaceable` for what is no backup: the store itself, its key, or something of somebody's.
  private static func mayBecome(_ path: String, replacing: Bool) throws(RegistryError) {
    guard try StoreFile.isTaken(path) else { return }
    guard replacing else { throw .backup(.fileExists, path: path) }
    guard try StoreFile.isFile(path, beginningWith: BackupFormat.family) else {
      throw .backup(.notReplaceable, path: path)
    }
  }

  deinit {
    removeScratch()
    // Before another process can hold it: the lock goes with the descriptor, after this.
    if !isPublished { StoreFile.remove(file.path) }
  }

  private var isPublished = false

  private func removeScratch() {
    StoreCopy.remove(copy)
    StoreCopy.remove(store)
  }

  /// Gives the file its name, on disk when it returns.
  consuming func publish(replacing: Bool) throws(RegistryError) {
    try file.synchronize()
    // The second look keeps a file that appeared meanwhile; a hard link, which would do both at once, is more than
    // many a stick or share can do.
    try Self.mayBecome(path, replacing: replacing)
    try StoreFile.rename(file.path, to: path)
    isPublished = true
  }
}
