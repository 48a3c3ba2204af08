import Foundation
import StrictJSON
import Testing
import WakeServer

@Suite("The examples for Prometheus and Grafana")
struct ExamplesTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("examples")
  private static let rules = folder.appendingPathComponent("prometheus-rules.yml")

  private static func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  private static func dashboard() throws -> JSONValue {
    try StrictJSON.parse(
      Array(try text("grafana.json").utf8), limits: JSONLimits(octets: 1_048_576, depth: 32))
  }

  /// What the panels of the dashboard ask for.
  private static func queries() throws -> [String] {
    try (dashboard()["panels"]?.array ?? []).flatMap { panel in
      (panel["targets"]?.array ?? []).compactMap { $0["expr"]?.string }
    }
  }

  /// The names by which samples can be asked for.
  private static let samples: Set<String> = Set(
    Metric.all.flatMap { metric in
      metric.form == .histogram
        ? ["_bucket", "_sum", "_count"].map { metric.name + $0 } : [metric.queriedName]
    })

  @Test("every metric that they name is one that the service has")
  func names() throws {
    let texts =
      try [Self.text("prometheus-rules.yml"), Self.text("prometheus-rules-test.yml")] + Self.queries()
    var named: Set<String> = []
    for text in texts {
      for match in text.matches(of: /\b(?:wake|process)_[a-z_]+\b/) { named.insert(String(match.output)) }
    }
    #expect(named.count > 15)
    // Sentences name a histogram as a whole.
    let known = Self.samples.union(Metric.all.map(\.name))
    #expect(named.subtracting(known).isEmpty)
  }

  @Test(
    "the alert rules are valid, and do in each situation what they are for",
    .enabled(if: Promtool.isHere, Promtool.absent))
  func rules() async throws {
    let checked = try await Promtool.program("check", "rules", Self.rules.path).run()
    #expect(checked.exitCode == 0 && checked.output.contains("10 rules found"), "\(checked)")
    let tests = Self.folder.appendingPathComponent("prometheus-rules-test.yml").path
    let tested = try await Promtool.program("test", "rules", tests).run()
    #expect(tested.exitCode == 0, "\(tested.output)\(tested.errors)")
    // Every rule is tried.
    let (rules, cases) = try (Self.text("prometheus-rules.yml"), Self.text("prometheus-rules-test.yml"))
    let alerts = rules.matches(of: /alert: (\w+)/).map { String($0.output.1) }
    #expect(alerts.count == 10)
    for alert in alerts { #expect(cases.contains("alertname: \(alert)\n"), "\(alert)") }
  }

  @Test(
    "every panel of the dashboard has a place, a title and queries that Prometheus understands",
    .enabled(if: Promtool.isHere, Promtool.absent))
  func panels() async throws {
    let dashboard = try Self.dashboard()
    let panels = try #require(dashboard["panels"]?.array)
    #expect(panels.count > 10 && dashboard["title"] == "wake")
    var places: Set<String> = []
    for panel in panels {
      #expect(panel["title"]?.string?.isEmpty == false)
      let isNew = places.insert(panel["gridPos"]?.text ?? "").inserted
      #expect(isNew)
      #expect(panel["targets"]?.array?.isEmpty == false)
    }
    #expect(Set(panels.compactMap { $0["id"]?.integer }).count == panels.count)
    // As recording rules, with Grafana's variables filled in.
    let queries = try Self.queries().map {
      $0.replacing("$__rate_interval", with: "5m").replacing("$instance", with: ".*")
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let written = try folder.newFile("panels.yml")
    let rules = queries.enumerated().map { "  - {record: \"panel:\($0)\", expr: '\($1)'}" }
    try written.write(
      contentsOf: Data("groups:\n- name: panels\n  rules:\n\(rules.joined(separator: "\n"))\n".utf8))
    let checked = try await Promtool.program("check", "rules", folder.path("panels.yml")).run()
    #expect(checked.exitCode == 0, "\(checked.output)\(checked.errors)")
    #expect(checked.output.contains("\(queries.count) rules found"), "\(checked.output)")
  }
}
