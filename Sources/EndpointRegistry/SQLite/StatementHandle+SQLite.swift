internal import CSQLite

/// Owns one `sqlite3_stmt`.
@safe
struct StatementHandle: ~Copyable {
  private let pointer: OpaquePointer

  /// `pointer` is finalised with the handle.
  @unsafe
  init(takingOwnershipOf pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    // It repeats the code of the last step, which was looked at then.
    unsafe sqlite3_finalize(pointer)
  }

  /// Binds `values` to the parameters from the first on. SQLite copies text and octets.
  func bind(_ values: [SQLiteValue]) throws(RegistryError) {
    var index: Int32 = 0
    for value in values {
      index += 1
      let code =
        switch value {
        case .integer(let integer): unsafe sqlite3_bind_int64(pointer, index, integer)
        case .text(let text): bind(text, at: index)
        case .octets(let octets): bind(octets, at: index)
        case .null: unsafe sqlite3_bind_null(pointer, index)
        }
      try check(code)
    }
  }

  private func bind(_ text: String, at index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { utf8 in
      unsafe utf8.withMemoryRebound(to: CChar.self) { characters in
        // A pointer that is not NULL binds empty text; NULL would bind NULL.
        let start = unsafe characters.baseAddress ?? UnsafePointer(bitPattern: 1)
        return unsafe sqlite3_bind_text64(
          pointer, index, start, UInt64(characters.count), wake_sqlite3_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  private func bind(_ octets: [UInt8], at index: Int32) -> Int32 {
    guard !octets.isEmpty else { return unsafe sqlite3_bind_zeroblob(pointer, index, 0) }
    return unsafe octets.withUnsafeBytes { octets in
      unsafe sqlite3_bind_blob64(
        pointer, index, octets.baseAddress, UInt64(octets.count), wake_sqlite3_transient())
    }
  }

  /// Runs to the next row; false at the end.
  func step() throws(RegistryError) -> Bool {
    let code = unsafe sqlite3_step(pointer)
    try check(code)
    return code == SQLITE_ROW
  }

  /// Back to the start, with nothing bound: ends the statement's read transaction.
  func reset() {
    // It repeats the code of the last step, which was looked at then.
    unsafe sqlite3_reset(pointer)
    unsafe sqlite3_clear_bindings(pointer)
  }

  /// Whether a column of the current row is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(pointer, column) == SQLITE_NULL }

  /// A column of the current row as an integer; 0 for NULL.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(pointer, column) }

  /// A column of the current row as octets, of a blob or of text in UTF-8; empty for NULL.
  func octets(_ column: Int32) -> [UInt8] {
    // "The safest policy is to invoke sqlite3_column_blob() followed by sqlite3_column_bytes()."
    guard let start = unsafe sqlite3_column_blob(pointer, column) else { return [] }
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A column of the current row as text; empty for NULL.
  func text(_ column: Int32) -> String {
    guard let start = unsafe sqlite3_column_text(pointer, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(pointer, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private func check(_ code: Int32) throws(RegistryError) {
    try unsafe SQLiteFailure.check(code, sqlite3_db_handle(pointer), sql)
  }

  private var sql: String {
    guard let text = unsafe sqlite3_sql(pointer) else { return "" }
    return unsafe String(cString: text)
  }
}
