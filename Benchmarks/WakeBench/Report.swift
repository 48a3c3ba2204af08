import Foundation
import StrictJSON

/// The figures, in the order in which they were measured.
struct Report {
  private struct Line {
    let name: String
    let value: Double
    let unit: String
    let note: String
  }

  private var lines: [Line] = []

  /// - Parameter note: what the figure is to be held against, or how it came about.
  mutating func add(_ name: String, _ value: Double, _ unit: String, _ note: String = "") {
    lines.append(Line(name: name, value: value, unit: unit, note: note))
  }

  var document: JSONValue {
    .object([
      "cores": .integer(Int64(ProcessInfo.processInfo.activeProcessorCount)),
      "figures": .array(
        lines.map {
          .object([
            "name": .string($0.name), "value": .number($0.value), "unit": .string($0.unit),
            "note": .string($0.note),
          ])
        }),
    ])
  }

  var table: String {
    lines.map { line in
      let value = String(format: line.value < 100 ? "%10.2f" : "%10.0f", line.value)
      let name = line.name.padding(toLength: 44, withPad: " ", startingAt: 0)
      let unit = line.unit.padding(toLength: 12, withPad: " ", startingAt: 0)
      return "\(name) \(value) \(unit) \(line.note)"
    }.joined(separator: "\n")
  }
}
