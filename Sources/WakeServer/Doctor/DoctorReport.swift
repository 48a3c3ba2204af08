package import StrictJSON

/// All findings of one examination.
package struct DoctorReport: Sendable {
  package let findings: [DoctorFinding]
  /// The settings of the service that was examined; for the operator alone, nil for everybody else.
  package let configuration: JSONValue?

  package init(_ findings: [DoctorFinding], configuration: JSONValue? = nil) {
    (self.findings, self.configuration) = (findings, configuration)
  }

  /// The gravest of all.
  package var verdict: DoctorVerdict { findings.reduce(.ok) { $0.graver($1.verdict) } }

  /// The first broken link: it is mended first.
  package var fault: DoctorFinding? { findings.first { $0.verdict == .fault } }

  /// The end of a stream: `{"verdict","fault","fix"}`, for the operator `configuration` too.
  package var summary: JSONValue { .object(members) }

  /// The whole in one document.
  package var json: JSONValue {
    var object = members
    object["findings"] = .array(findings.map(\.json))
    return .object(object)
  }

  private var members: JSONObject {
    var object: JSONObject = [
      "verdict": .string(verdict.rawValue), "fault": Presentation.text(fault?.link.rawValue),
      "fix": Presentation.text(fault?.fix),
    ]
    object["configuration"] = configuration
    return object
  }
}
