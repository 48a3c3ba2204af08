/// The moment at which one store takes another's place. A crash at any point leaves one of them there, whole.
struct StoreReplacement {
  let path: String
  /// The further name that the old store gets.
  let aside: String
  let progress: (BackupProgress) -> Void

  /// How long another process may go on with what it does on the old store.
  private static let busyTimeoutMilliseconds: Int32 = 6_000

  /// Puts the store at `temporary` into its place, on disk when it returns.
  func put(_ temporary: String) throws(RegistryError) {
    // A log beside the name would be taken for the restored store's own: the old store gets its log moved into the
    // file, and is held so that nobody begins another one.
    let old = try StoreFile.exists(at: path) ? hold() : nil
    defer { extendLifetime(old) }
    if old == nil { try moveSidecars() }
    if try StoreFile.exists(at: path) {
      progress(.settingAside)
      guard try StoreFile.link(path, to: aside) else { throw .backup(.fileExists, path: aside) }
    }
    progress(.replacing)
    try StoreFile.rename(temporary, to: path)
  }

  /// The old store, without a log and with nobody else in it; nil where it is damaged, or is none.
  private func hold() throws(RegistryError) -> Database? {
    do throws(RegistryError) {
      let database = try Database(
        path: path, mode: .readWrite, busyTimeoutMilliseconds: Self.busyTimeoutMilliseconds)
      let mode = try database.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
      guard mode == "delete" else { throw .busy }
      try database.run("BEGIN EXCLUSIVE")
      return database
    } catch {
      switch error {
      case .damaged, .notAStore, .sqlite: return nil
      default: throw error
      }
    }
  }

  /// What lies beside a store that cannot be opened, or beside none at all, goes where the store goes.
  private func moveSidecars() throws(RegistryError) {
    for suffix in StoreCopy.sidecars where try StoreFile.isTaken(path + suffix) {
      try StoreFile.rename(path + suffix, to: aside + suffix)
    }
  }
}
