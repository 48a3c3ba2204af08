/// The text that a scraper reads, written family by family.
///
/// The two formats differ in what they call a family, and in how they end.
package struct Exposition: Sendable {
  /// One series: the values of its labels in the metric's order, and what it stands at.
  package struct Series: Sendable {
    package enum Value: Sendable {
      case count(UInt64)
      case number(Double)
      case histogram(Histogram)
    }

    let labels: [String]
    let value: Value

    package init(_ labels: [String] = [], _ value: Value) {
      self.labels = labels
      self.value = value
    }
  }

  private let format: ExpositionFormat
  private var text = ""

  package init(_ format: ExpositionFormat) { self.format = format }

  /// Writes one metric with all of its series.
  package mutating func write(_ metric: Metric, _ series: [Series]) {
    head(metric)
    for one in series {
      precondition(
        one.labels.count == metric.labels.count, "a series has another number of labels than its metric")
      let labels = Array(zip(metric.labels, one.labels))
      switch one.value {
      case .count(let count): line(metric.queriedName, labels, "\(count)")
      case .number(let number): line(metric.queriedName, labels, Self.text(number))
      case .histogram(let histogram): write(histogram, of: metric, labels)
      }
    }
  }

  /// All that was written.
  package func ended() -> String { format == .openMetrics ? text + "# EOF\n" : text }

  private mutating func head(_ metric: Metric) {
    switch format {
    case .openMetrics:
      text += "# TYPE \(metric.name) \(metric.form.rawValue)\n"
      if let unit = metric.unit { text += "# UNIT \(metric.name) \(unit)\n" }
      text += "# HELP \(metric.name) \(Self.escaped(metric.help))\n"
    case .prometheus:
      // It has no type for this one.
      let form = metric.form == .info ? Metric.Form.gauge : metric.form
      text += "# HELP \(metric.queriedName) \(Self.escaped(metric.help))\n"
      text += "# TYPE \(metric.queriedName) \(form.rawValue)\n"
    }
  }

  private mutating func write(
    _ histogram: Histogram, of metric: Metric, _ labels: [(String, String)]
  ) {
    let bounds = histogram.bounds.map(Self.text) + ["+Inf"]
    for (bound, count) in zip(bounds, histogram.cumulativeCounts) {
      line("\(metric.name)_bucket", labels + [("le", bound)], "\(count)")
    }
    line("\(metric.name)_sum", labels, Self.text(histogram.sum))
    line("\(metric.name)_count", labels, "\(histogram.count)")
  }

  private mutating func line(_ name: String, _ labels: [(String, String)], _ value: String) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
    }
    text += " \(value)\n"
  }

  private static func text(_ number: Double) -> String { "\(number)" }

  /// As it stands between double quotes. In a sentence the first format asks for the same, and ours have none of these.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
