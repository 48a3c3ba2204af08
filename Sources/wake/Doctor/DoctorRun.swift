import EndpointRegistry
import HTTPClient
import StandIns
import StrictJSON
import WakeServer

/// One examination, as the running server makes it, or this process where none answers.
struct DoctorRun {
  /// What it came to: the findings in the order in which they came.
  struct Result {
    var findings: [JSONValue] = []
    var summary: JSONObject = [:]
    var exitCode: Int32 = 0

    /// The one JSON document.
    var document: JSONValue {
      var object = summary
      object["findings"] = .array(findings)
      return .object(object)
    }
  }

  let configuration: Configuration
  let path: String
  let bar: ProgressBar
  /// Told of each finding as it comes.
  let tell: (JSONValue) -> Void

  func run() async throws(CommandError) -> Result {
    let admin = AdminClient(configuration)
    let presence = try await bar.whileWaiting(
      for: "the server", upTo: AdminClient.answerMilliseconds / 1_000
    ) { () throws(CommandError) in await admin.presence() }
    guard presence == .answers, let stream = try await admin.events(path) else {
      return await local(isSilent: presence == .silent)
    }
    var result = Result()
    var reader = EventStreamReader()
    while result.summary["verdict"] == nil {
      let piece: [UInt8]?
      do throws(HTTPClientError) { piece = try await stream.next() } catch { piece = nil }
      guard let piece, let items = try? reader.read(piece) else {
        throw .unreachable("the server ended in the middle of the examination; is it still running?")
      }
      for case .event(let event) in items {
        guard case .object(let object)? = try? StrictJSON.parse(Array(event.data.utf8)) else { continue }
        if event.event == "finding" {
          result.findings.append(.object(object))
          tell(.object(object))
        } else if event.event == "done" {
          result.summary = object
        }
      }
    }
    result.exitCode = result.summary["verdict"]?.string == DoctorVerdict.fault.rawValue ? 1 : 0
    return result
  }

  private func local(isSilent: Bool) async -> Result {
    let local = await LocalExamination(configuration, isSilent: isSilent)
    var result = Result.of(DoctorReport(local.findings))
    for finding in result.findings { tell(finding) }
    result.exitCode = Self.exitCode(withoutServer: local.storeError)
    return result
  }

  /// Without a server nothing is well, whatever else was found: 3, or 4 where the store cannot be used.
  static func exitCode(withoutServer error: RegistryError?) -> Int32 {
    guard let error, case .store(_) = CommandError(error) else { return 3 }
    return 4
  }
}

extension DoctorRun.Result {
  /// That of a report that was made here.
  static func of(_ report: DoctorReport) -> DoctorRun.Result {
    var result = DoctorRun.Result()
    result.findings = report.findings.map(\.json)
    if case .object(let summary) = report.summary { result.summary = summary }
    result.exitCode = report.verdict == .fault ? 1 : 0
    return result
  }
}
