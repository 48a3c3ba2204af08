internal import CSQLite
internal import Glibc

/// The one way from SQLite's result codes to `RegistryError`. Codes decide; SQLite's sentences, which quote SQL and
/// paths, are never read.
enum SQLiteFailure {
  /// SQLITE_READONLY_ROLLBACK: a hot journal that a connection without the right to write cannot roll back.
  static let needsRollback = SQLITE_READONLY | (3 << 8)
  /// SQLITE_ERROR: a statement that does not fit what is there.
  static let statement = SQLITE_ERROR

  /// Throws what `code` means, unless it is one of those that are no failure.
  /// `operation` names the call or the statement; statements hold no values, which are always bound.
  @safe
  static func check(
    _ code: Int32, _ database: OpaquePointer?, _ operation: @autoclosure () -> String
  ) throws(RegistryError) {
    switch code {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: return
    default:
      let errorNumber = unsafe database.map { unsafe sqlite3_system_errno($0) } ?? 0
      throw error(code, errorNumber: errorNumber, path: unsafe path(of: database), operation: operation())
    }
  }

  /// What an extended result code means.
  static func error(_ code: Int32, errorNumber: Int32, path: String, operation: String) -> RegistryError {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return .busy
    case SQLITE_FULL:
      return .storageFull
    case SQLITE_IOERR where errorNumber == ENOSPC || errorNumber == EDQUOT:
      return .storageFull
    case SQLITE_CORRUPT:
      return .damaged(path)
    case SQLITE_NOTADB:
      return .notAStore(path)
    case SQLITE_READONLY where code != needsRollback:
      return .readOnly(path)
    case SQLITE_CANTOPEN where errorNumber != 0:
      return .file(errorNumber: errorNumber, path: path)
    default:
      return .sqlite(code: code, operation: operation)
    }
  }

  private static func path(of database: OpaquePointer?) -> String {
    guard let database = unsafe database, let name = unsafe sqlite3_db_filename(database, "main") else {
      return ""
    }
    return unsafe String(cString: name)
  }
}
