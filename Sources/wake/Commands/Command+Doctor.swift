import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let doctor = Command(
    "doctor", ["[DEVICE]"],
    summary: "find the broken link to a silent phone, and how to mend it",
    discussion: """
      With a device it walks the whole way and sends one test wake: configuration, store, service key, public URL and
      its certificate, registration, name, address policy, connection, TLS, wake, clock, answer, receipt. Without one
      it looks at the service and every push server in use, sends nothing, and warns of devices that stay silent.
      Where no server runs, it looks at the files. Exit code 0: no fault; 1: one was found; 3: no server or no store;
      4: the store cannot be used.
      """,
    options: [
      Option("--wait", "SECONDS", help: "how long to wait for the phone's receipt (30)"),
      Option(
        "--report", "FILE", help: "write what somebody else needs to help into a new file, without secrets"),
    ]
  ) { invocation throws(CommandError) in
    let seconds = try invocation.value("--wait").map(doctorPatience) ?? 30
    var path = "/v1/admin/doctor"
    if let operand = invocation.operands.first {
      guard let device = DeviceID(operand) else {
        throw .usage("a device's id is 26 characters of a-z and 2-7; `wake device list` shows them")
      }
      path = "/v1/admin/devices/\(device)/doctor?wait=\(seconds)"
    }
    let sheet = Sheet(invocation, waiting: seconds)
    let configuration: Configuration
    do throws(ConfigurationError) { configuration = try invocation.parsedConfiguration() } catch {
      return try sheet.end(.wrong(error))
    }
    let result = try await DoctorRun(configuration: configuration, path: path, tell: sheet.add).run()
    if let file = invocation.value("--report") {
      let report = HelpReport(invocation: invocation, configuration: configuration, diagnosis: result)
      try ReportFile.write(await report.document().indented() + "\n", to: file)
      invocation.remark("\(file) holds what somebody else needs to help; look at it before you hand it on")
    }
    try sheet.end(result)
  }

  private static let doctorPatienceMaximum = 300

  private static func doctorPatience(_ text: String) throws(CommandError) -> Int {
    guard let seconds = Int(text), (0...doctorPatienceMaximum).contains(seconds) else {
      throw .usage("--wait must be seconds from 0 to \(doctorPatienceMaximum)")
    }
    return seconds
  }

  /// The answer on standard output: lines as they come, or one document at the end.
  private final class Sheet {
    private let invocation: Invocation
    private let seconds: Int
    private var sheet: DoctorSheet

    init(_ invocation: Invocation, waiting seconds: Int) {
      self.invocation = invocation
      self.seconds = seconds
      sheet = DoctorSheet(screen: .standardOutput(invocation.environment)) {
        try? FileHandleOutput.standardOutput.write($0)
      }
    }

    func add(_ finding: JSONValue) {
      guard !invocation.json else { return }
      let line = DoctorLine(finding)
      sheet.add(line)
      if line.link == DoctorLink.answer.rawValue, line.verdict == .ok, !invocation.operands.isEmpty {
        sheet.wait(for: seconds)
      }
    }

    func end(_ result: DoctorRun.Result) throws(CommandError) {
      let fix = result.summary["fix"]?.string
      if invocation.json {
        try invocation.write(result.document.text)
      } else {
        if result.isOfConfiguration { for finding in result.findings { add(finding) } }
        sheet.end(verdict: result.summary["verdict"]?.string ?? "", fix: fix)
      }
      guard result.exitCode != 0 else { return }
      let link = result.summary["fault"]?.string.flatMap(DoctorLink.init(rawValue:))?.title
      throw CommandError(exitCode: result.exitCode, "broken at: \(link ?? "see above")")
    }
  }
}

extension DoctorRun.Result {
  /// A configuration that keeps the service from starting.
  fileprivate static func wrong(_ error: ConfigurationError) -> DoctorRun.Result {
    .of(
      DoctorReport([
        .fault(
          .configuration, "a setting is wrong", cause: error.description,
          fix: "correct that setting; `wake help serve` lists all"),
        .skipped(.store, "not looked at: the configuration comes first"),
      ]))
  }

  fileprivate var isOfConfiguration: Bool {
    summary["fault"]?.string == DoctorLink.configuration.rawValue
  }
}
