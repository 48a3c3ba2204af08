import Foundation
import Glibc
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("wake doctor --report tells nothing of where files lie, and leaves a whole file or none (B24)")
struct DoctorReportFileTests {
  /// Folders of these names lie on the way to whatever a setting names.
  private static let planted = "canary of alice/canary-certs"

  /// What a setting that takes a path can be set to, and that it was set to something.
  static let pathSettings = Setting.all.compactMap { setting in
    ["/x", "unix:/x", "sqlite:/x"].first { value in
      setting.path(in: value) == "/x" && (value == "/x") == !setting.placeholder.contains(":")
    }.map { (setting.variable, String($0.dropLast(2))) }
  }

  @Test("every setting that takes a path is tried")
  func settings() {
    let names = Set(Self.pathSettings.map(\.0))
    #expect(
      names.isSuperset(of: [
        "WAKE_STATE_DIR", "WAKE_TLS_CERT_FILE", "WAKE_TLS_KEY_FILE", "WAKE_DATABASE", "WAKE_PUSH_CA_FILE",
        "WAKE_SERVICE_KEY_FILE", "WAKE_LISTEN", "WAKE_METRICS_LISTEN",
      ]))
  }

  @Test(
    "no folder of a path that a setting names is in it, be it missing, empty or wrong",
    arguments: pathSettings,
    [nil, "", "garbage"])
  func places(setting: (String, String), contents: String?) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: folder).run().exitCode == 0)
    try FileManager.default.createDirectory(
      atPath: folder.path(Self.planted), withIntermediateDirectories: true)
    let file = folder.path("\(Self.planted)/named")
    if let contents { try Data(contents.utf8).write(to: URL(fileURLWithPath: file)) }
    var environment = [setting.0: setting.1 + file]
    if setting.0.hasPrefix("WAKE_TLS") {
      environment = ["WAKE_TLS_CERT_FILE": file, "WAKE_TLS_KEY_FILE": file + ".key"]
    }
    let report = folder.path("report")
    let ended = try await Program.wake(["doctor", "--report", report], state: folder, environment).run()
    #expect(ended.exitCode != 0 && ended.errors.contains(report), "\(ended.errors)")
    let text = try folder.text("report")
    for part in ["canary", "alice", folder.path("")] { #expect(!text.contains(part), "\(text)") }
  }

  @Test(
    "a file of settings that cannot be read is what it says",
    arguments: ["garbage\n", "WAKE_TTL=soon\n", nil])
  func settingsFile(contents: String?) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try FileManager.default.createDirectory(
      atPath: folder.path(Self.planted), withIntermediateDirectories: true)
    let file = folder.path("\(Self.planted)/wake.conf")
    if let contents { try Data(contents.utf8).write(to: URL(fileURLWithPath: file)) }
    let ended = try await Program.wake(
      ["doctor", "--json", "--config", file, "--report", folder.path("report")], state: folder
    ).run()
    #expect(try ended.exitCode == 1 && ended.json["fault"] == "configuration", "\(ended.errors)")
    let text = try folder.text("report")
    #expect(text.contains(#""fault": "configuration""#) && !text.contains("canary"), "\(text)")
    let other = try await Program.wake(["device", "list", "--config", file], state: folder).run()
    #expect(other.exitCode == 2 && other.output.isEmpty, "\(other.errors)")
  }

  @Test("a name that cannot become a file is refused before anything is looked at")
  func names() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for (argument, exitCode, words) in [
      ("--report=", Int32(2), "--report needs the name of a new file"),
      ("--report=/proc/x", 1, "/proc/x cannot be made"),
    ] {
      let ended = try await Program.wake(["doctor", argument], state: folder).run()
      #expect(ended.exitCode == exitCode && ended.output.isEmpty, "\(ended.output)")
      #expect(ended.errors.contains(words), "\(ended.errors)")
    }
  }

  @Test("where the examination is broken off, no file stays", arguments: [SIGINT, SIGTERM])
  func brokenOff(number: Int32) async throws {
    try await Server.with { server in
      // A server that hangs keeps the examination waiting.
      server.process.signal(SIGSTOP)
      defer { server.process.signal(SIGCONT) }
      let file = server.state.path("report")
      let doctor = try LineProcess(.wake(["doctor", "--report", file], state: server.state))
      let end = ContinuousClock.now + .seconds(20)
      while !FileManager.default.fileExists(atPath: file), ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(5))
      }
      let wasThere = FileManager.default.fileExists(atPath: file)
      doctor.signal(number)
      #expect(await doctor.exitCode() == -number)
      #expect(wasThere && !FileManager.default.fileExists(atPath: file))
    }
  }

  @Test("all is well, and the report cannot be written: that is told, and is exit code 1")
  func unwrittenOfHealthy() async throws {
    let pushServer = try StandInPushServer()
    let free = try RawServer { _ in .status(200) }
    free.stop()
    let address = "127.0.0.1:\(free.port)"
    let settings = [
      "WAKE_LISTEN": address, "WAKE_PUBLIC_URL": "http://\(address)", "WAKE_PUSH_ALLOW": pushServer.origin,
    ]
    try await Server.with(settings) { server in
      _ = try await server.json("stack", "add", "home")
      let well = try await server.wake("doctor", "--json")
      #expect(well.exitCode == 0, "\(well.output)")
      let file = server.state.path("report")
      // No file takes an octet, and a pipe is none.
      let doctor = try LineProcess(
        Program.wake(["doctor", "--json", "--report", file], state: server.state, settings)
          .withoutTemporaryFolder().launched(by: ["/usr/bin/prlimit", "--fsize=0"]))
      let answer = try await doctor.next()
      #expect(answer?["fault"] == .null && answer?["findings"] != nil)
      #expect(await doctor.exitCode() == 1)
      #expect(!FileManager.default.fileExists(atPath: file))
    }
    await pushServer.stop()
  }
}
