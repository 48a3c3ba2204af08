import Foundation
import StandIns
import StrictJSON
import Testing

@Suite("wake doctor --report holds what helps, and nothing that must not be public (B24)")
struct DoctorReportTests {
  /// Secrets that are planted, and looked for as they are and as parts.
  private static let label = "Grandmother-Kessler"
  private static let path = "canary-endpoint-path-7291"
  private static let alertText = "canary-alert-text-5517"

  @Test("no planted secret stands in it, and who may read it is its owner")
  func canary() async throws {
    let pushServer = try StandInPushServer(rules: PushServerRules(as: .ntfy))
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
      let phone = try await server.phone(
        pushServer, stack: Self.label, target: "/read-only/\(Self.path)?token=\(Self.path)")
      let sent = try await server.wake(
        "send", Self.label, "problem", "--alert", #"{"text":"\#(Self.alertText)"}"#)
      #expect(sent.exitCode == 0, "\(sent.errors)")
      let file = folder.path("report.json")
      let ended = try await server.wake("doctor", phone.device, "--wait", "0", "--report", file)
      #expect(ended.exitCode == 1 && ended.errors.contains(file), "\(ended.errors)")
      let text = try folder.text("report.json")
      let report = try StrictJSON.parse(Array(text.utf8))
      for member in ["version", "machine", "configuration", "doctor", "attempts", "devices"] {
        #expect(report[member] != nil, "\(member)")
      }
      #expect(report["doctor"]?["fault"] == "public-url" && text.contains(phone.device))
      #expect(report["attempts"]?.array?.contains { $0["status"]?.integer == 403 } == true, "\(text)")
      let keys = ["p256dh", "auth"].compactMap { phone.companion.keys[$0]?.string }
      let secrets =
        keys + [
          Self.path, Self.alertText, Self.label, phone.token, phone.hook, phone.endpoint,
          phone.companion.client,
          server.state.path("state"),
        ]
      #expect(keys.count == 2)
      for secret in secrets {
        #expect(!text.contains(secret), "a secret is in the report: \(secret)")
      }
      for secret in keys + [phone.token, phone.hook] {
        #expect(!text.contains(secret.prefix(16)), "a part of a secret is in the report: \(secret)")
      }
      for mark in ["wkh_", "wkd_", "wkp_", "wka_", "vapid t="] { #expect(!text.contains(mark), "\(mark)") }
      let attributes = try FileManager.default.attributesOfItem(atPath: file)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
    await pushServer.stop()
  }

  @Test("the settings in it are those of the server, and not of the shell that asks")
  func settingsOfServer() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let settings = [
      "WAKE_PUBLIC_URL": "http://127.0.0.1:1/home", "WAKE_PUSH_ALLOW": "https://ntfy.lan", "WAKE_TTL": "77",
      "WAKE_CONTACT": "mailto:wake@example.org", "WAKE_PUSH_ALOW": "https://ntfy.lan",
    ]
    try await Server.with(settings) { server in
      let file = folder.path("report.json")
      let ended = try await Program.wake(
        ["doctor", "--report", file], state: server.state, ["WAKE_TTL": "5", "WAKE_PUSH_ALLOW": "10.0.0.0/8"]
      ).run()
      #expect(ended.output.contains("WAKE_PUSH_ALOW is no setting of this program"), "\(ended.output)")
      let report = try StrictJSON.parse(Array(try folder.text("report.json").utf8))
      let told = report["configuration"]
      #expect(report["configurationOf"] == "server" && report["doctor"]?["configuration"] == nil)
      #expect(told?["publicURL"] == "http://127.0.0.1:1/home" && told?["pushAllow"] == ["https://ntfy.lan"])
      #expect(told?["ttlSeconds"] == 77 && told?["hasContact"] == true && told?["hasTLS"] == false)
      #expect(told?["listen"] == [.string(server.address)] && told?["unknownSettings"] == ["WAKE_PUSH_ALOW"])
      #expect(!(try folder.text("report.json")).contains("wake@example.org"))
    }
  }

  @Test(
    "where it cannot be written, that is said before anything is looked at, and a file that is there stays")
  func refused() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.path("report")))
    for (name, words) in [
      ("report", "is there already"), ("nowhere/report", "No such file"),
      ("report/report", "Not a directory"),
    ] {
      let ended = try await Program.wake(["doctor", "--report", folder.path(name)], state: folder).run()
      #expect(ended.exitCode == 1 && ended.output.isEmpty && ended.errors.contains(words), "\(ended.errors)")
      #expect(ended.errors.split(separator: "\n").count == 1)
    }
    #expect(try folder.text("report") == "mine")
  }

  @Test("where it cannot be written in the end, what was found is told all the same")
  func unwritten() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.path("report")
    for (arguments, words) in [([], "FAULT"), (["--json"], #""fault":"store""#)] {
      // No file takes an octet, and a terminal is none.
      let ended = try await Program.wake(["doctor", "--report", file] + arguments, state: folder)
        .withoutTemporaryFolder().launched(by: ["/usr/bin/prlimit", "--fsize=0"])
        .run(columns: 200, lines: 50)
      #expect(ended.exitCode == 3 && ended.output.contains(words), "\(ended.output)")
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }

  @Test("a setting that is wrong stands in it")
  func wrongSetting() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.path("report")
    let ended = try await Program.wake(["doctor", "--report", file], state: folder, ["WAKE_TTL": "bogus"])
      .run()
    #expect(ended.exitCode == 1 && ended.errors.contains(file), "\(ended.errors)")
    let report = try StrictJSON.parse(Array(try folder.text("report").utf8))
    #expect(report["doctor"]?["fault"] == "configuration" && report["configuration"] == .null)
    #expect(try folder.text("report").contains("WAKE_TTL"))
  }

  @Test(
    "neither the home of whoever asks nor the name of the machine is in it",
    .enabled(Restriction.absent) { await Restriction.isHere() })
  func places() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let home = folder.path("home-of-kessler")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    let ended = try await Program.wake(
      ["doctor", "--report", folder.path("report")], state: folder,
      ["HOME": home, "WAKE_PUSH_CA_FILE": "\(home)/authority.pem"]
    ).launched(by: Restriction.host("canary-of-a-host")).run()
    #expect(ended.output.contains(home), "what is told at the terminal names the file: \(ended.output)")
    let text = try folder.text("report")
    #expect(text.contains("<home>/authority.pem") && text.contains("<state>"), "\(text)")
    for secret in ["kessler", "canary-of-a-host"] { #expect(!text.contains(secret), "\(text)") }
  }

  @Test("without a server it is written all the same")
  func noServer() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await Program.wake(["stack", "add", Self.label], state: folder).run().exitCode == 0)
    let file = folder.path("report")
    #expect(try await Program.wake(["doctor", "--report", file], state: folder).run().exitCode == 3)
    let report = try StrictJSON.parse(Array(try folder.text("report").utf8))
    #expect(report["doctor"]?["fault"] == "server" && report["devices"]?["states"] != nil)
    #expect(!(try folder.text("report")).contains(Self.label))
  }
}
