/// The two texts that scrapers read.
package enum ExpositionFormat: Sendable, CaseIterable {
  /// OpenMetrics 1.0.
  case openMetrics
  /// The text format of Prometheus, version 0.0.4, which every scraper reads.
  case prometheus

  package var contentType: String {
    switch self {
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    }
  }

  /// What an `Accept` field asks for (RFC 9110 §12.5.1): OpenMetrics where it names that and likes nothing of ours
  /// better. Without the field, as a browser or a person asks, it is the text that shows everywhere.
  package init(accept: String?) {
    var weights: [String: Double] = [:]
    for range in (accept ?? "").split(separator: ",") {
      let weight =
        range.split(separator: ";").dropFirst().map { $0.filter { $0 != " " && $0 != "\t" } }
        .first { $0.lowercased().hasPrefix("q=") }
        .map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      let type = MediaType.essence(String(range))
      // The same type may be named in several versions.
      weights[type] = max(weight, weights[type] ?? 0)
    }
    let open = weights["application/openmetrics-text"] ?? 0
    self = open > 0 && open >= weights["text/plain"] ?? 0 ? .openMetrics : .prometheus
  }
}
