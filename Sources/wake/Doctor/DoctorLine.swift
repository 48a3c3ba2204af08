import StrictJSON
import WakeServer

/// A finding as it came over the wire; one of a later server's links is shown as it is called.
struct DoctorLine {
  let link: String
  let verdict: DoctorVerdict?
  let milliseconds: Int?
  let pushServer: String?
  let device: String?
  let seen: String
  let cause: String?
  let fix: String?

  init(_ json: JSONValue) {
    link = json["link"]?.string ?? "?"
    verdict = json["verdict"]?.string.flatMap(DoctorVerdict.init(rawValue:))
    milliseconds = json["milliseconds"]?.integer.map { Int($0) }
    (pushServer, device) = (json["pushServer"]?.string, json["device"]?.string)
    (seen, cause, fix) = (json["seen"]?.string ?? "", json["cause"]?.string, json["fix"]?.string)
  }

  var title: String { DoctorLink(rawValue: link)?.title ?? link }

  var verdictWord: String {
    switch verdict {
    case .ok?: "ok"
    case .warning?: "warning"
    case .fault?: "FAULT"
    case .skipped?: "-"
    case nil: "?"
    }
  }
}
