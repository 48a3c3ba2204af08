/// The store's schema, as the migrations that lead to it. A released migration is never changed again.
enum Schema {
  /// `WAKE`: what the header of our files says (`PRAGMA application_id`).
  static let applicationID: Int64 = 0x5741_4B45

  /// Migration n (counted from 1) leads from version n - 1 to n.
  static let migrations: [String] = [version1, version2, version3, version4]
}
