import CSQLite

/// Looks into a store from outside.
enum StoreReading {
  struct Failed: Error {
    let code: Int32
  }

  /// The first column of all rows.
  static func texts(_ sql: String, in path: String) throws -> [String] {
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil)
    defer { sqlite3_close_v2(connection) }
    guard code == SQLITE_OK else { throw Failed(code: code) }
    // The service may be writing.
    sqlite3_busy_timeout(connection, 5_000)
    var statement: OpaquePointer?
    let prepared = sqlite3_prepare_v2(connection, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    guard prepared == SQLITE_OK else { throw Failed(code: prepared) }
    var texts: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
      case SQLITE_DONE: return texts
      case let failed: throw Failed(code: failed)
      }
    }
  }
}
