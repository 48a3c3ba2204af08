import Testing
import WakeServer

@Suite("The text of metrics")
struct ExpositionTests {
  private static let counter = Metric("jobs", .counter, labels: ["what"], "Jobs done.")
  private static let gauge = Metric("heap_bytes", .gauge, unit: "bytes", "The heap.")
  private static let info = Metric("thing", .info, labels: ["version"], "The thing.")
  private static let histogram = Metric("run_seconds", .histogram, unit: "seconds", labels: ["of"], "Runs.")

  private static func text(_ format: ExpositionFormat) -> String {
    var runs = Histogram([0.5, 1])
    for seconds in [0.25, 0.5, 0.75, 30] { runs.observe(seconds) }
    var exposition = Exposition(format)
    exposition.write(
      counter, [.init(["a \"b\\c\"\nd"], .count(3)), .init(["é"], .count(18_446_744_073_709_551_615))])
    exposition.write(gauge, [.init([], .number(1.5))])
    exposition.write(info, [.init(["1"], .number(1))])
    exposition.write(histogram, [.init(["x"], .histogram(runs))])
    return exposition.ended()
  }

  @Test("OpenMetrics names families without the suffixes of samples, gives units, and has an end")
  func openMetrics() {
    #expect(
      Self.text(.openMetrics) == #"""
        # TYPE jobs counter
        # HELP jobs Jobs done.
        jobs_total{what="a \"b\\c\"\nd"} 3
        jobs_total{what="é"} 18446744073709551615
        # TYPE heap_bytes gauge
        # UNIT heap_bytes bytes
        # HELP heap_bytes The heap.
        heap_bytes 1.5
        # TYPE thing info
        # HELP thing The thing.
        thing_info{version="1"} 1.0
        # TYPE run_seconds histogram
        # UNIT run_seconds seconds
        # HELP run_seconds Runs.
        run_seconds_bucket{of="x",le="0.5"} 2
        run_seconds_bucket{of="x",le="1.0"} 3
        run_seconds_bucket{of="x",le="+Inf"} 4
        run_seconds_sum{of="x"} 31.5
        run_seconds_count{of="x"} 4
        # EOF

        """#)
  }

  @Test("the older format names families as their samples, and has the same samples")
  func prometheus() {
    let (old, new) = (Self.text(.prometheus), Self.text(.openMetrics))
    #expect(old.hasPrefix("# HELP jobs_total Jobs done.\n# TYPE jobs_total counter\n"))
    #expect(old.contains("# TYPE thing_info gauge\n") && !old.contains("# UNIT") && !old.contains("EOF"))
    func samples(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
    #expect(samples(old) == samples(new) && samples(old).count == 9)
  }

  @Test("a metric without series is named all the same")
  func withoutSeries() {
    var exposition = Exposition(.openMetrics)
    exposition.write(Self.gauge, [])
    #expect(exposition.ended().hasPrefix("# TYPE heap_bytes gauge\n"))
  }

  @Test(
    "a scraper gets what it asks for",
    arguments: [
      (nil, .prometheus), ("*/*", .prometheus), ("text/plain", .prometheus), ("text/html", .prometheus),
      ("application/openmetrics-text", .openMetrics),
      ("Application/OpenMetrics-Text; version=1.0.0", .openMetrics),
      // Prometheus 2.30, 2.42 and 3.
      ("application/openmetrics-text; version=0.0.1,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics),
      (
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
          + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", .openMetrics
      ),
      (
        "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
          + "application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,"
          + "text/plain;version=0.0.4;q=0.3,*/*;q=0.2", .openMetrics
      ),
      ("text/plain;version=0.0.4, application/openmetrics-text;q=0.5", .prometheus),
      ("application/openmetrics-text;q=0", .prometheus), ("application/openmetrics-text;q=x", .prometheus),
      ("application/openmetrics-text ; q = 0.2 , text/plain ; q = 0.1", .openMetrics),
    ] as [(String?, ExpositionFormat)])
  func negotiation(accept: String?, format: ExpositionFormat) {
    #expect(ExpositionFormat(accept: accept) == format)
  }
}

@Suite("Histograms")
struct HistogramTests {
  @Test(
    "a duration falls into the first bucket whose bound it does not exceed, and each bucket counts those below"
  )
  func buckets() {
    var histogram = Histogram([0.1, 1, 10])
    for seconds in [0, 0.1, 0.100_001, 1, 9, 10, 10.5, 86_400] { histogram.observe(seconds) }
    #expect(histogram.cumulativeCounts == [2, 4, 6, 8])
    #expect(histogram.count == 8)
    #expect(abs(histogram.sum - 86_430.700_001) < 0.000_001)
  }

  @Test("a clock that was set back makes no duration shorter than nothing")
  func setBack() {
    var histogram = Histogram([1])
    histogram.observe(-3_600)
    #expect(histogram.cumulativeCounts == [1, 1] && histogram.sum == 0)
  }

  @Test("one without observations has every bucket")
  func empty() {
    #expect(Histogram([1, 2]).cumulativeCounts == [0, 0, 0])
  }
}
