/// A value to bind. It never stands in an error or a log.
enum SQLiteValue: Sendable {
  case integer(Int64)
  case text(String)
  case octets([UInt8])
  case null

  /// An integer of any width.
  static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
  /// The bound of a page: at least none, and never SQLite's "no limit", which is any negative number.
  static func limit(_ count: Int) -> SQLiteValue { .integer(Int64(max(0, count))) }
  /// Text, or NULL for nil.
  static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
  /// An integer, or NULL for nil.
  static func optional(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
  /// An integer, or NULL for nil.
  static func optional(_ value: Int?) -> SQLiteValue { value.map { .integer(Int64($0)) } ?? .null }
  /// Octets, or NULL for nil.
  static func optional(_ value: [UInt8]?) -> SQLiteValue { value.map { .octets($0) } ?? .null }
}
