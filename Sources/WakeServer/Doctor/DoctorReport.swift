package import StrictJSON

/// All findings of one examination.
package struct DoctorReport: Sendable {
  package let findings: [DoctorFinding]

  package init(_ findings: [DoctorFinding]) { self.findings = findings }

  /// The gravest of all.
  package var verdict: DoctorVerdict { findings.reduce(.ok) { $0.graver($1.verdict) } }

  /// The first broken link: it is mended first.
  package var fault: DoctorFinding? { findings.first { $0.verdict == .fault } }

  /// The end of a stream: `{"verdict","fault","fix"}`.
  package var summary: JSONValue { .object(members) }

  /// The whole in one document.
  package var json: JSONValue {
    var object = members
    object["findings"] = .array(findings.map(\.json))
    return .object(object)
  }

  private var members: JSONObject {
    [
      "verdict": .string(verdict.rawValue), "fault": Presentation.text(fault?.link.rawValue),
      "fix": Presentation.text(fault?.fix),
    ]
  }
}
