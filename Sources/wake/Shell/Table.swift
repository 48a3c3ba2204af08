import WakeServer

/// Rows for people, in columns.
enum Table {
  /// One line a row, the head first; `-` where there is nothing.
  static func lines(_ head: [String], _ rows: [[String?]], empty: String) -> [String] {
    guard !rows.isEmpty else { return [empty] }
    let cells = [head] + rows.map { $0.map { ($0 ?? "-").onOneLine } }
    let widths = head.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { row in
      zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
        .joined(separator: "  ").trimmingTrailingSpaces
    }
  }
}

extension String {
  /// Without what a terminal would act on.
  fileprivate var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isOnOneLine ? $0 : "\u{fffd}" }))
  }

  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
