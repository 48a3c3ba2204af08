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
      Where no server runs, it looks at the files: run it as the user that the service runs as. Exit code 0: no fault;
      1: one was found; 3: no server, or no store for this user; 4: the store cannot be used.
      """,
    options: [
      Option("--wait", "SECONDS", help: "how long to wait for the phone's receipt (30)"),
      Option(
        "--report", "FILE", help: "write what somebody else needs to help into a new file, without secrets"),
    ],
    examinesSettings: true
  ) { invocation throws(CommandError) in
    let seconds = try invocation.number("--wait", "seconds", in: 0...doctorPatienceMaximum) ?? 30
    var path = "/v1/admin/doctor"
    if let operand = invocation.operands.first {
      guard let device = DeviceID(operand) else {
        throw .usage("a device's id is 26 characters of a-z and 2-7; `wake device list` shows them")
      }
      path = "/v1/admin/devices/\(device)/doctor?wait=\(seconds)"
    }
    let sheet = Sheet(invocation, waiting: seconds)
    var file: ReportFile?
    var watch: Task<Void, Never>?
    if let name = invocation.value("--report") {
      // Signals first: from the moment at which there is a file, none leaves it behind.
      let signals = try Signals.coming(Signals.end)
      let made = try ReportFile(name)
      (file, watch) = (made, made.remove(at: signals))
    }
    var configuration: Configuration?
    var result = DoctorRun.Result()
    do throws(ConfigurationError) { configuration = try invocation.parsedConfiguration() } catch {
      result = .wrong(error)
      for finding in result.findings { sheet.add(finding) }
    }
    if let configuration {
      let run = DoctorRun(
        configuration: configuration, path: path, bar: ProgressBar(invocation), tell: sheet.add)
      do throws(CommandError) { result = try await run.run() } catch {
        file?.remove()
        throw error
      }
    }
    let unreported = await unreported(result, configuration, of: invocation, in: file)
    watch?.cancel()
    try sheet.end(result, unreported: unreported)
  }

  private static let doctorPatienceMaximum = 300

  /// Writes the report that was asked for; why that was not possible, nil where it was.
  private static func unreported(
    _ result: DoctorRun.Result, _ configuration: Configuration?, of invocation: Invocation,
    in file: ReportFile?
  ) async -> CommandError? {
    guard let file else { return nil }
    let report = HelpReport(invocation: invocation, configuration: configuration, diagnosis: result)
    do throws(CommandError) {
      try file.write(await report.document().indented() + "\n")
    } catch { return error }
    invocation.remark("\(file.path) holds what somebody else needs to help; look at it before you hand it on")
    return nil
  }

  /// The answer on standard output: lines as they come, or one document at the end.
  private final class Sheet {
    private let invocation: Invocation
    private let seconds: Int
    private let unwritten = Unwritten()
    private var sheet: DoctorSheet

    /// The first failure of standard output.
    private final class Unwritten { var error: CommandError? }

    init(_ invocation: Invocation, waiting seconds: Int) {
      self.invocation = invocation
      self.seconds = seconds
      sheet = DoctorSheet(screen: .standardOutput(invocation.environment)) { [unwritten] text in
        guard unwritten.error == nil else { return }
        do throws(CommandError) { try StandardOutput.write(text) } catch { unwritten.error = error }
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

    /// Says what it came to, whatever became of the report.
    func end(_ result: DoctorRun.Result, unreported: CommandError?) throws(CommandError) {
      let fix = result.summary["fix"]?.string
      if invocation.json {
        do throws(CommandError) { try invocation.write(result.document.text) } catch {
          unwritten.error = error
        }
      } else {
        sheet.end(verdict: result.summary["verdict"]?.string ?? "", fix: fix)
      }
      // What was found decides the exit code; what could not be told takes the line.
      let untold = unwritten.error ?? unreported
      guard result.exitCode != 0 else {
        if let untold { throw untold }
        return
      }
      let link = result.summary["fault"]?.string.flatMap(DoctorLink.init(rawValue:))?.title
      throw CommandError(exitCode: result.exitCode, untold?.line ?? "broken at: \(link ?? "see above")")
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
          fix: "correct that setting, or that line of the file; `wake help serve` lists all"),
        .skipped(.store, "not looked at: the configuration comes first"),
      ]))
  }
}
