/// One connection and the statements that it has compiled. Not Sendable: it belongs to the thread that opened it.
final class Database {
  /// Where the file lies.
  let path: String
  let connection: ConnectionHandle
  private var statements: [String: Statement] = [:]
  /// The last ones that were used, which are mostly the next ones: a comparison of two references, and no hash over a
  /// long text.
  private var recent: [(sql: String, statement: Statement)] = []
  /// What a job repeats for each of its rows, and the transaction around it.
  private static let recentMaximum = 8

  /// Opens an existing file.
  init(
    path: String, mode: ConnectionHandle.Mode, busyTimeoutMilliseconds: Int32
  ) throws(RegistryError) {
    self.path = path
    connection = try ConnectionHandle.open(path, mode, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
  }

  /// Says how long another process's lock is waited for from now on.
  func setBusyTimeout(milliseconds: Int32) throws(RegistryError) {
    try connection.setBusyTimeout(milliseconds: milliseconds)
  }

  /// Runs statements that take and give no values.
  func execute(_ script: String) throws(RegistryError) {
    try connection.execute(script)
  }

  /// Runs one statement whose rows, if any, are of no interest.
  func run(_ sql: String, _ values: SQLiteValue...) throws(RegistryError) {
    try statement(sql).run(values) { _ in true }
  }

  /// The first row, as `read` sees it.
  func first<Value>(
    _ sql: String, _ values: SQLiteValue..., read: (Statement) throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value? {
    var value: Value?
    try statement(sql).run(values) { row throws(RegistryError) in
      value = try read(row)
      return false
    }
    return value
  }

  /// All rows, as `read` sees them. The statement bounds their number.
  func all<Value>(
    _ sql: String, _ values: SQLiteValue..., read: (Statement) throws(RegistryError) -> Value
  ) throws(RegistryError) -> [Value] {
    try all(sql, values: values, read: read)
  }

  /// All rows, for a statement that is put together from parts.
  func all<Value>(
    _ sql: String, values: [SQLiteValue], read: (Statement) throws(RegistryError) -> Value
  ) throws(RegistryError) -> [Value] {
    var rows: [Value] = []
    try statement(sql).run(values) { row throws(RegistryError) in
      rows.append(try read(row))
      return true
    }
    return rows
  }

  /// The integer in the first column of the first row; nil where there is no row.
  func integer(_ sql: String, _ values: SQLiteValue...) throws(RegistryError) -> Int64? {
    var value: Int64?
    try statement(sql).run(values) { row in
      value = row.integer(0)
      return false
    }
    return value
  }

  /// Rows that the last INSERT, UPDATE or DELETE changed, without those of triggers and cascades.
  var changes: Int64 { connection.changes }
  /// Rows that were changed since the connection was opened, with those of triggers and cascades.
  var totalChanges: Int64 { connection.totalChanges }
  /// The row that the last INSERT made.
  var lastInsertedRow: Int64 { connection.lastInsertedRow }
  /// Whether a transaction is open. SQLite ends one by itself after some failures.
  var isInTransaction: Bool { connection.isInTransaction }

  /// Runs `body` inside a transaction that starts with `begin`; commits, or rolls back where it throws.
  func transaction<Value>(
    _ begin: String = "BEGIN IMMEDIATE", _ body: () throws(RegistryError) -> Value
  ) throws(RegistryError) -> Value {
    try run(begin)
    do throws(RegistryError) {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Ends an open transaction without a trace; nothing where SQLite has already done so.
  func rollBack() {
    guard isInTransaction else { return }
    // A rollback that fails leaves the transaction to the closing of the connection; the first error is the one told.
    try? run("ROLLBACK")
  }

  private func statement(_ sql: String) throws(RegistryError) -> Statement {
    for known in recent where known.sql == sql { return known.statement }
    let statement: Statement
    if let known = statements[sql] {
      statement = known
    } else {
      statement = Statement(try connection.prepare(sql))
      statements[sql] = statement
    }
    if recent.count == Self.recentMaximum { recent.removeFirst() }
    recent.append((sql, statement))
    return statement
  }
}
