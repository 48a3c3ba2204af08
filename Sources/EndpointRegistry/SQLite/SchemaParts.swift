/// What the schema of a database consists of, by name: whoever made it may have written it otherwise.
struct SchemaParts {
  private let names: Set<String>

  init(of database: Database) throws(RegistryError) {
    names = Set(
      try database.all(
        """
        SELECT type || ' ' || name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*'
        UNION ALL
        SELECT 'column ' || t.name || '.' || c.name FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c
        WHERE t.type = 'table'
        """
      ) { $0.text(0) })
  }

  /// The first part of `other` that is not here; nil where all are.
  func firstMissing(of other: SchemaParts) -> String? { other.names.subtracting(names).min() }
}
