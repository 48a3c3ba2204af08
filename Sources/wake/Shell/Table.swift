import WakeServer

/// Rows for people, in columns.
enum Table {
  /// One line a row, the head first; `-` where there is nothing.
  static func lines(_ head: [String], _ rows: [[String?]], empty: String) -> [String] {
    guard !rows.isEmpty else { return [empty] }
    var columns = Columns(count: head.count)
    return columns.lines([head] + rows)
  }

  /// `1 device`, `2 devices`.
  static func count(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
  }

  /// Columns that are as wide as the widest cell so far: rows may come in parts.
  struct Columns {
    private var widths: [Int]

    init(count: Int) { widths = Array(repeating: 0, count: count) }

    /// One line a row; `-` where there is nothing.
    mutating func lines(_ rows: [[String?]]) -> [String] {
      let cells = rows.map { $0.map { ($0 ?? "-").onOneLine } }
      widths = widths.indices.map { column in
        cells.reduce(widths[column]) { max($0, $1[column].count) }
      }
      return cells.map { row in
        zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
          .joined(separator: "  ").trimmingTrailingSpaces
      }
    }
  }
}

extension String {
  /// Without what a terminal would act on.
  var onOneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isOnOneLine ? $0 : "\u{fffd}" }))
  }

  fileprivate var trimmingTrailingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
