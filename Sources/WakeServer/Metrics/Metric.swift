/// What one metric is: its name, its unit, its labels and what it means.
package struct Metric: Sendable, Equatable {
  /// How its samples are to be read (OpenMetrics 1.0, "Metric Types").
  package enum Form: String, Sendable {
    case counter, gauge, histogram, info
  }

  /// The family's name. A counter's samples end in `_total`, an info's in `_info`, a histogram's in `_bucket`, `_sum` and
  /// `_count`.
  package let name: String
  package let form: Form
  /// What the name ends with where there is a unit: `seconds`, `bytes`.
  package let unit: String?
  /// The names of its labels, in the order in which series give their values.
  package let labels: [String]
  /// One sentence.
  package let help: String

  package init(_ name: String, _ form: Form, unit: String? = nil, labels: [String] = [], _ help: String) {
    self.name = name
    self.form = form
    self.unit = unit
    self.labels = labels
    self.help = help
  }

  /// What queries call it; a histogram's samples have a further suffix.
  package var queriedName: String {
    switch form {
    case .counter: "\(name)_total"
    case .info: "\(name)_info"
    case .gauge, .histogram: name
    }
  }
}
