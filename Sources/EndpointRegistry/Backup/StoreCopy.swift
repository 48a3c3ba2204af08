/// The way from a store in use to a database of one file with nothing in it that does not belong into a backup.
struct StoreCopy {
  /// Where the pages go first.
  let copy: String
  /// Where the result goes.
  let result: String
  let busyTimeoutMilliseconds: Int32
  let progress: (BackupProgress) -> Void

  /// What SQLite puts beside a database.
  static let sidecars = ["-wal", "-shm", "-journal"]

  /// Makes the result; what is in it, as of one moment. `copy` is gone afterwards.
  func make(of source: Database, at: Int64) throws(RegistryError) -> BackupContents {
    let contents = try copyPages(of: source, at: at)
    progress(.cleaning)
    try clean()
    try check()
    return contents
  }

  /// A read transaction of the connection that the pages are read through holds one moment: whatever others write
  /// meanwhile, the copy never has to start over.
  private func copyPages(of source: Database, at: Int64) throws(RegistryError) -> BackupContents {
    _ = try DataFile(making: copy)
    let destination = try open(copy)
    try destination.execute("PRAGMA synchronous = OFF")
    // The copy ends before the connection that it leads to does.
    defer { extendLifetime(destination) }
    return try source.transaction("BEGIN DEFERRED") { () throws(RegistryError) in
      func number(_ sql: String) throws(RegistryError) -> Int64 { try source.integer(sql) ?? 0 }
      let contents = BackupContents(
        madeAt: at, schema: Int(try number("PRAGMA user_version")),
        stacks: try number("SELECT count(*) FROM stacks"),
        devices: try number("SELECT count(*) FROM devices"),
        alerts: try number("SELECT count(*) FROM alerts"), hasKey: false)
      let pages = try OnlineBackupHandle(from: source.connection, to: destination.connection)
      var isDone = false
      while !isDone {
        isDone = try pages.step(BackupFormat.pagesAtATime)
        let (all, remaining) = pages.pages
        progress(.copying(done: all - remaining, of: all))
      }
      return contents
    }
  }

  /// Takes out the pairing codes, whose time will be over, and everything that was deleted and not yet written over:
  /// the copy has the free pages of the store too.
  private func clean() throws(RegistryError) {
    let database = try open(copy)
    try database.execute(
      """
      PRAGMA journal_mode = DELETE;
      PRAGMA synchronous = OFF;
      PRAGMA secure_delete = ON;
      DELETE FROM pairings;
      """)
    _ = try DataFile(making: result)
    try database.run("VACUUM INTO ?", .text(result))
  }

  private func check() throws(RegistryError) {
    let verdict = try open(result).first("PRAGMA integrity_check(1)") { $0.text(0) }
    guard verdict == "ok" else { throw .damaged(result) }
    Self.remove(copy)
  }

  private func open(_ path: String) throws(RegistryError) -> Database {
    try Database(path: path, mode: .readWrite, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
  }

  /// Removes a database and what SQLite puts beside it.
  static func remove(_ path: String) {
    for suffix in [""] + sidecars { StoreFile.remove(path + suffix) }
  }
}
