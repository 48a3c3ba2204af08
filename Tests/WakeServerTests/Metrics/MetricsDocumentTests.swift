import Foundation
import Testing
import WakeServer

@Suite("What is written about metrics")
struct MetricsDocumentTests {
  @Test("docs/METRICS.md lists every metric with its form, unit, labels and meaning, and no other")
  func document() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = String(
      decoding: try Data(contentsOf: root.appendingPathComponent("docs/METRICS.md")), as: UTF8.self)
    let listed = text.split(separator: "\n").filter { $0.firstMatch(of: /^\| `(wake|process)_/) != nil }
    let expected = Metric.all.map { metric in
      let labels = metric.labels.map { "`\($0)`" }.joined(separator: ", ")
      return
        "| `\(metric.queriedName)` | \(metric.form.rawValue) | \(metric.unit ?? "") | \(labels) | \(metric.help) |"
    }
    #expect(listed.map(String.init) == expected)
  }

  @Test("a name says its unit, and a label is what it is everywhere")
  func names() {
    for metric in Metric.all {
      if let unit = metric.unit { #expect(metric.name.hasSuffix("_\(unit)"), "\(metric.name)") }
      #expect(metric.help.hasSuffix(".") && !metric.help.contains("\""), "\(metric.name)")
    }
  }
}
