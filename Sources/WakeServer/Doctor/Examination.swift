internal import StrictJSON

/// One examination under way: it keeps what was found and hands each finding on as soon as it is there.
///
/// After the first fault on the way to a push server, what would come later is passed over, so that one fault alone is
/// named.
final class Examination {
  private(set) var findings: [DoctorFinding] = []
  /// What the operator is told of the settings; nil for everybody else.
  var configuration: JSONValue?
  private let tell: (DoctorFinding) -> Void
  /// Whether anybody still wants to know.
  let isWanted: () -> Bool

  init(telling tell: @escaping (DoctorFinding) -> Void = { _ in }, isWanted: @escaping () -> Bool = { true })
  {
    self.tell = tell
    self.isWanted = isWanted
  }

  var report: DoctorReport { DoctorReport(findings, configuration: configuration) }

  func add(_ finding: DoctorFinding) {
    findings.append(finding)
    tell(finding)
  }

  func add(_ more: some Sequence<DoctorFinding>) { for finding in more { add(finding) } }

  /// Passes over `links`, which follow from what was found before.
  func skip(_ links: [DoctorLink], after broken: DoctorLink) {
    for link in links { add(.skipped(link, "not looked at: \(broken.title) comes first")) }
  }

  /// Whether a link was found broken.
  func isBroken(_ link: DoctorLink) -> Bool {
    findings.contains { $0.link == link && $0.verdict == .fault }
  }
}
