/// A compiled statement that its database keeps, and the row that it stands on.
final class Statement {
  private let handle: StatementHandle

  init(_ handle: consuming StatementHandle) {
    self.handle = handle
  }

  /// Runs with `values` bound and calls `row` for each row until it returns false. Reset afterwards, whatever happens.
  func run(
    _ values: [SQLiteValue], _ row: (Statement) throws(RegistryError) -> Bool
  ) throws(RegistryError) {
    defer { handle.reset() }
    try handle.bind(values)
    while try handle.step() {
      guard try row(self) else { return }
    }
  }

  /// A column as an integer; 0 for NULL.
  func integer(_ column: Int32) -> Int64 { handle.integer(column) }
  /// A column as an integer; nil for NULL.
  func optionalInteger(_ column: Int32) -> Int64? { handle.isNull(column) ? nil : handle.integer(column) }
  /// A column as text; empty for NULL.
  func text(_ column: Int32) -> String { handle.text(column) }
  /// A column as text; nil for NULL.
  func optionalText(_ column: Int32) -> String? { handle.isNull(column) ? nil : handle.text(column) }
  /// A column as octets; empty for NULL.
  func octets(_ column: Int32) -> [UInt8] { handle.octets(column) }
  /// A column as octets; nil for NULL.
  func optionalOctets(_ column: Int32) -> [UInt8]? { handle.isNull(column) ? nil : handle.octets(column) }
  /// A column as truth: anything but 0 and NULL.
  func truth(_ column: Int32) -> Bool { handle.integer(column) != 0 }
}
