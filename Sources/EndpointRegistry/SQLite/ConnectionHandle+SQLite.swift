internal import CSQLite

/// Owns one `sqlite3`. It is used by one thread at a time: SQLite is opened without its own locks.
@safe
struct ConnectionHandle: ~Copyable {
  /// How a file is opened.
  enum Mode {
    /// Read and write an existing file.
    case readWrite
    /// The same, but the log of changes stays as it is when closing: whether the file is whole is not known yet.
    case prepare
    /// Read alone, and leave the file as it is also when closing.
    case inspect
  }

  let pointer: OpaquePointer

  /// Once for a process. Where somebody else has opened a connection already, memory is counted, and no harm done.
  private static let countsNoMemory = wake_sqlite3_count_no_memory() == SQLITE_OK

  private init(takingOwnershipOf pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  /// Opens the file at `path`, which has to exist. Another process's lock is waited for, for `busyTimeoutMilliseconds`.
  static func open(
    _ path: String, _ mode: Mode, busyTimeoutMilliseconds: Int32
  ) throws(RegistryError) -> ConnectionHandle {
    _ = countsNoMemory
    let access = mode == .inspect ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var pointer: OpaquePointer?
    let code = unsafe sqlite3_open_v2(
      path, &pointer, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE, nil)
    // "Whether or not an error occurs when it is opened, resources associated with the database connection handle
    // should be released by passing it to sqlite3_close()": the handle takes it before the code is looked at.
    guard let opened = unsafe pointer else { throw .sqlite(code: code, operation: "open") }
    let connection = unsafe ConnectionHandle(takingOwnershipOf: opened)
    if code == SQLITE_CANTOPEN || code & 0xFF == SQLITE_CANTOPEN {
      let errorNumber = unsafe sqlite3_system_errno(opened)
      throw SQLiteFailure.error(code, errorNumber: errorNumber, path: path, operation: "open")
    }
    try connection.check(code, "open")
    // Before anything else, so that no statement of this connection ever fails at once because of a lock.
    try connection.setBusyTimeout(milliseconds: busyTimeoutMilliseconds)
    try connection.check(unsafe wake_sqlite3_set_defensive(opened), "defensive mode")
    if mode != .readWrite {
      try connection.check(unsafe wake_sqlite3_set_no_checkpoint_on_close(opened), "no checkpoint on close")
    }
    return connection
  }

  deinit {
    // Statements that are still there keep the connection alive until they are finalised.
    unsafe sqlite3_close_v2(pointer)
  }

  /// Says how long another process's lock is waited for from now on.
  func setBusyTimeout(milliseconds: Int32) throws(RegistryError) {
    try check(unsafe sqlite3_busy_timeout(pointer, milliseconds), "busy timeout")
  }

  /// Runs statements that take and give no values.
  func execute(_ script: String) throws(RegistryError) {
    try check(unsafe sqlite3_exec(pointer, script, nil, nil, nil), script)
  }

  /// Compiles one statement, to be kept and used again.
  func prepare(_ sql: String) throws(RegistryError) -> StatementHandle {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    try check(code, sql)
    guard let prepared = unsafe statement else { throw .sqlite(code: SQLITE_MISUSE, operation: sql) }
    return unsafe StatementHandle(takingOwnershipOf: prepared)
  }

  /// Rows that the last INSERT, UPDATE or DELETE changed, without those of triggers and cascades.
  var changes: Int64 { unsafe sqlite3_changes64(pointer) }

  /// Rows that were changed since the connection was opened, with those of triggers and cascades.
  var totalChanges: Int64 { unsafe sqlite3_total_changes64(pointer) }

  /// The row that the last INSERT made.
  var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(pointer) }

  /// Whether a transaction is open. SQLite ends one by itself after some failures.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(pointer) == 0 }

  private func check(_ code: Int32, _ operation: @autoclosure () -> String) throws(RegistryError) {
    try unsafe SQLiteFailure.check(code, pointer, operation())
  }
}
