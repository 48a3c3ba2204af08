extension Schema {
  /// The pauses that push servers asked for.
  static let version4 = """
    CREATE TABLE endpoint_holds (
      endpoint_digest BLOB PRIMARY KEY,       -- keyed digest
      until INTEGER NOT NULL,
      refusals INTEGER NOT NULL               -- in a row that named no pause
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX endpoint_holds_by_time ON endpoint_holds (until);

    CREATE TABLE origin_holds (
      origin TEXT PRIMARY KEY,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX origin_holds_by_time ON origin_holds (until);
    """
}
