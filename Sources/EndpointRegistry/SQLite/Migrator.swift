/// Leads a store from the schema that it has to the newest one, each step in a transaction of its own.
struct Migrator {
  /// Step n (counted from 1) leads from version n - 1 to n.
  let migrations: [String]

  /// The newest version that this program knows.
  var known: Int { migrations.count }

  /// What the file says of itself, or throws: `notAStore` for another program's file, `newerSchema`.
  /// 0 is a database that nobody has put anything into yet.
  func version(of database: Database) throws(RegistryError) -> Int {
    // One moment: another process may be making the store just now.
    guard database.isInTransaction else {
      return try database.transaction("BEGIN DEFERRED") { () throws(RegistryError) in
        try version(of: database)
      }
    }
    let found = Int(try database.integer("PRAGMA user_version") ?? 0)
    switch (try database.integer("PRAGMA application_id"), found) {
    case (Schema.applicationID, 1...known):
      return found
    case (Schema.applicationID, (known + 1)...):
      throw .newerSchema(found: found, known: known)
    case (0, 0):
      let tables = try database.integer("SELECT count(*) FROM sqlite_schema")
      guard tables == 0 else { throw .notAStore(database.path) }
      return 0
    default:
      throw .notAStore(database.path)
    }
  }

  /// Throws `damaged` where a table, a column or an index of the schema that the file says it has is not there: SQLite's own
  /// check of a file does not know what should be in it. What somebody has added is let alone. `path` is the file's name to
  /// whoever is told.
  func expectWhole(_ database: Database, at path: String) throws(RegistryError) {
    let missing = try database.transaction("BEGIN DEFERRED") { () throws(RegistryError) in
      let model = try Database(path: ":memory:", mode: .readWrite, busyTimeoutMilliseconds: 0)
      try Migrator(migrations: Array(migrations.prefix(try version(of: database)))).migrate(model)
      return try SchemaParts(of: database).firstMissing(of: SchemaParts(of: model))
    }
    if let missing { throw .damaged("\(path) lacks the \(missing)") }
  }

  /// Runs the steps that are missing. `seed` fills a new store, in the transaction of the first step.
  func migrate(
    _ database: Database, seed: (Database) throws(RegistryError) -> Void = { _ in }
  ) throws(RegistryError) {
    // Read without a lock first: a store that is up to date opens while another process holds it.
    while try version(of: database) < known {
      try database.transaction { () throws(RegistryError) in
        // Another process may have been faster.
        let found = try version(of: database)
        guard found < known else { return }
        do throws(RegistryError) { try database.execute(migrations[found]) } catch {
          guard case .sqlite(SQLiteFailure.statement, _) = error else { throw error }
          // Something is there that the schema of that number does not have.
          throw .damaged("\(database.path) does not have the schema \(found) that it says it has")
        }
        if found == 0 {
          try database.execute("PRAGMA application_id = \(Schema.applicationID)")
          try seed(database)
        }
        try database.execute("PRAGMA user_version = \(found + 1)")
      }
    }
  }
}
