internal import CSQLite

/// Owns one `sqlite3_backup`: a copy of one database's pages to another.
@safe
struct OnlineBackupHandle: ~Copyable {
  private let pointer: OpaquePointer
  private let destination: OpaquePointer

  /// Begins a copy of all of `source` over all of `destination`, both of which have to outlive the handle.
  init(from source: borrowing ConnectionHandle, to destination: borrowing ConnectionHandle)
    throws(RegistryError)
  {
    let started = unsafe sqlite3_backup_init(destination.pointer, "main", source.pointer, "main")
    // "If an error occurs within sqlite3_backup_init(D,...), then NULL is returned and an error code and error message
    // are stored in the destination database connection D."
    guard let started = unsafe started else {
      try unsafe SQLiteFailure.check(
        sqlite3_extended_errcode(destination.pointer), destination.pointer, "sqlite3_backup_init")
      throw .sqlite(code: SQLITE_MISUSE, operation: "sqlite3_backup_init")
    }
    unsafe pointer = started
    unsafe self.destination = destination.pointer
  }

  deinit {
    // It repeats the code of the last step, which was looked at then.
    unsafe sqlite3_backup_finish(pointer)
  }

  /// Copies the next `pages`; false where there are more.
  func step(_ pages: Int32) throws(RegistryError) -> Bool {
    let code = unsafe sqlite3_backup_step(pointer, pages)
    try unsafe SQLiteFailure.check(code, destination, "sqlite3_backup_step")
    return code == SQLITE_DONE
  }

  /// Pages of the source, and those that are still to be copied, as of the last step.
  var pages: (all: Int64, remaining: Int64) {
    unsafe (Int64(sqlite3_backup_pagecount(pointer)), Int64(sqlite3_backup_remaining(pointer)))
  }
}
