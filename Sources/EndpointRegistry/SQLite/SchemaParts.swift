/// What the schema of a database consists of, by names and what they are of: whoever made it may have written it otherwise.
struct SchemaParts {
  private let names: Set<String>

  init(of database: Database) throws(RegistryError) {
    // Names are the same to SQLite in either case.
    names = Set(
      try database.all(
        """
        SELECT lower(type || ' ' || name) FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND type <> 'index'
        UNION ALL
        SELECT lower('column ' || t.name || '.' || c.name) || iif(c.pk > 0, ', of its primary key', '')
        FROM sqlite_schema t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table'
        UNION ALL
        SELECT lower(iif(i."unique", 'unique ', '') || 'index ' || iif(i.origin = 'c', i.name || ' ', '') || 'on ' ||
          t.name || '(' || coalesce((SELECT group_concat(coalesce(c.name, '…'), ', ') FROM pragma_index_info(i.name) c), '')
          || ')')
        FROM sqlite_schema t JOIN pragma_index_list(t.name) i WHERE t.type = 'table'
        """
      ) { $0.text(0) })
  }

  /// The first part of `other` that is not here, a whole table before what belongs to one; nil where all are.
  func firstMissing(of other: SchemaParts) -> String? {
    let missing = other.names.subtracting(names)
    return missing.filter { $0.hasPrefix("table ") }.min() ?? missing.min()
  }
}
