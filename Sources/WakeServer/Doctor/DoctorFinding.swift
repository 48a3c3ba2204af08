package import EndpointRegistry
package import PushDelivery
package import StrictJSON

/// What the doctor found at one link. No member holds an endpoint, a key or a token.
package struct DoctorFinding: Sendable, Equatable {
  package let link: DoctorLink
  package var verdict: DoctorVerdict
  /// How long looking took; nil where nothing was looked at, or a companion must not know.
  package var milliseconds: Int?
  /// The origin that it is about, where there is one.
  package var pushServer: String?
  /// The device that it is about, where that was not named by who asks.
  package var device: DeviceID?
  /// What was seen, in one line.
  package var seen: String
  /// Why that is a fault or worth a warning; nil where it is none.
  package var cause: String?
  /// What to do, and what to type.
  package var fix: String?

  private init(_ link: DoctorLink, _ verdict: DoctorVerdict, _ seen: String, _ cause: String?, _ fix: String?)
  {
    (self.link, self.verdict, self.seen, self.cause, self.fix) = (link, verdict, seen, cause, fix)
  }

  package static func ok(_ link: DoctorLink, _ seen: String) -> DoctorFinding {
    DoctorFinding(link, .ok, seen, nil, nil)
  }

  package static func skipped(_ link: DoctorLink, _ seen: String) -> DoctorFinding {
    DoctorFinding(link, .skipped, seen, nil, nil)
  }

  package static func warning(_ link: DoctorLink, _ seen: String, cause: String, fix: String) -> DoctorFinding
  {
    DoctorFinding(link, .warning, seen, cause, fix)
  }

  package static func fault(_ link: DoctorLink, _ seen: String, cause: String, fix: String) -> DoctorFinding {
    DoctorFinding(link, .fault, seen, cause, fix)
  }

  package static func warning(_ link: DoctorLink, _ seen: String, _ why: Explanation) -> DoctorFinding {
    DoctorFinding(link, .warning, seen, why.cause, why.fix)
  }

  package static func fault(_ link: DoctorLink, _ seen: String, _ why: Explanation) -> DoctorFinding {
    DoctorFinding(link, .fault, seen, why.cause, why.fix)
  }

  /// The same with the time that it took.
  package func took(_ milliseconds: Int) -> DoctorFinding {
    var finding = self
    finding.milliseconds = milliseconds
    return finding
  }

  /// The same, about a push server.
  func about(_ pushServer: String?) -> DoctorFinding {
    var finding = self
    finding.pushServer = pushServer
    return finding
  }

  /// As it is answered.
  package var json: JSONValue {
    [
      "link": .string(link.rawValue), "verdict": .string(verdict.rawValue),
      "milliseconds": Presentation.integer(milliseconds), "pushServer": Presentation.text(pushServer),
      "device": Presentation.text(device?.text), "seen": .string(seen), "cause": Presentation.text(cause),
      "fix": Presentation.text(fix),
    ]
  }
}
