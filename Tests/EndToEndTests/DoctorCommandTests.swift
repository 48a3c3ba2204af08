import Foundation
import Glibc
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("wake doctor names the broken link, and what it says to type mends it (B24)")
struct DoctorCommandTests {
  /// An address that is free now.
  private static func freeAddress() throws -> String {
    let server = try RawServer { _ in .status(200) }
    server.stop()
    return "127.0.0.1:\(server.port)"
  }

  /// Settings with a public address that is known before the server listens.
  private static func settings(_ more: [String: String] = [:]) throws -> [String: String] {
    let address = try freeAddress()
    return ["WAKE_LISTEN": address, "WAKE_PUBLIC_URL": "http://\(address)"].merging(more) { $1 }
  }

  private func expect(
    _ ended: Ended, exitCode: Int32, fault: String?, fix: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let document = try ended.json
    #expect(ended.exitCode == exitCode, "\(ended.output)\(ended.errors)", sourceLocation: sourceLocation)
    #expect(document["fault"]?.string == fault, "\(ended.output)", sourceLocation: sourceLocation)
    let faults = (document["findings"]?.array ?? []).filter { $0["verdict"] == "fault" }
    #expect(faults.count == (fault == nil ? 0 : 1), "\(ended.output)", sourceLocation: sourceLocation)
    let said = document["fix"]?.string ?? ""
    #expect(said.contains(fix) || fault == nil, "\(ended.output)", sourceLocation: sourceLocation)
  }

  @Test("with a companion that listens all is well, live and by --json")
  func healthy() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with(try Self.settings(Server.wakingLoopback)) { server in
      _ = try await server.json("stack", "add", "home")
      #expect(try await Program.companion(folder, "pair", server.link("home")).run().exitCode == 0)
      let device = try #require(try await server.json("device", "list").array?.first?["device"]?.string)
      try await LineProcess.companion(folder) { _ in
        let ended = try await server.wake("doctor", device, "--json")
        try expect(ended, exitCode: 0, fault: nil)
        let links = (try ended.json["findings"]?.array ?? []).compactMap { $0["link"]?.string }
        #expect(links.first == "configuration" && links.last == "receipt")
        let read = try await server.wake("doctor", device)
        #expect(read.exitCode == 0 && read.errors.isEmpty)
        #expect(read.output.contains("the phone handed it back") && !read.output.contains("\u{1b}"))
        let all = try await server.wake("doctor", "--json")
        try expect(all, exitCode: 0, fault: nil)
      }
    }
  }

  @Test("a phone that does not answer is the fault of none of ours, and the fix speaks of its battery")
  func deaf() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(try Self.settings(["WAKE_PUSH_ALLOW": pushServer.origin])) { server in
      let phone = try await server.phone(pushServer, stack: "home", target: "/up/canary-of-an-endpoint")
      let ended = try await server.wake("doctor", phone.device, "--wait", "1", "--json")
      try expect(ended, exitCode: 1, fault: "receipt", fix: "battery saving")
      #expect(ended.errors == "wake: broken at: receipt\n")
      #expect(!ended.output.contains("canary"))
    }
    await pushServer.stop()
  }

  @Test("a push server in the own network is mended by what the doctor says to type")
  func mended() async throws {
    let pushServer = try StandInPushServer()
    let state = try TemporaryFolder()
    defer { state.remove() }
    let settings = try Self.settings(["WAKE_PUSH_ALLOW": "https://ntfy.lan"])
    var device = ""
    try await Server.with(state, settings.merging(["WAKE_PUSH_ALLOW": pushServer.origin]) { $1 }) { server in
      device = try await server.phone(pushServer, stack: "home").device
    }
    var value = ""
    try await Server.with(state, settings) { server in
      let ended = try await server.wake("doctor", device, "--json")
      try expect(
        ended, exitCode: 1, fault: "address-policy",
        fix: "WAKE_PUSH_ALLOW=https://ntfy.lan,\(pushServer.origin)")
      let fix = try #require(try ended.json["fix"]?.string)
      value = String(try #require(fix.components(separatedBy: "WAKE_PUSH_ALLOW=").last))
    }
    try await Server.with(state, settings.merging(["WAKE_PUSH_ALLOW": value]) { $1 }) { server in
      let ended = try await server.wake("doctor", device, "--wait", "0", "--json")
      try expect(ended, exitCode: 0, fault: nil)
    }
    await pushServer.stop()
  }

  @Test("a disk that takes nothing is named while the server runs, and nothing else")
  func readOnly() async throws {
    try await Server.with(try Self.settings()) { server in
      _ = try await server.json("stack", "add", "home")
      // Every write beyond the first octet of a file fails from now on, as beyond a quota.
      let limited = try await Program(
        path: "/usr/bin/prlimit", arguments: ["--pid", "\(server.process.pid)", "--fsize=1:"]
      ).run()
      #expect(limited.exitCode == 0, "\(limited.errors)")
      let ended = try await server.wake("doctor", "--json")
      _ = try await Program(
        path: "/usr/bin/prlimit", arguments: ["--pid", "\(server.process.pid)", "--fsize=unlimited:"]
      ).run()
      try expect(ended, exitCode: 1, fault: "store", fix: "disk of the state folder")
    }
  }

  /// Runs a program where a folder, which it is handed first, is a file system that takes nothing.
  private static let readOnlyMount = [
    "/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c",
    #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@""#,
  ]

  private static func canMount() async -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    defer { folder.remove() }
    let program = Program(path: "/bin/true").launched(by: readOnlyMount + [folder.path(".")])
    return (try? await program.run())?.exitCode == 0
  }

  @Test(
    "a store on a file system that is read-only is named, and what to look at",
    .enabled("SKIPPED: this needs namespaces of users and mounts") { await DoctorCommandTests.canMount() })
  func readOnlyFileSystem() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let ended = try await Program.wake(["doctor", "--json"], state: state)
      .launched(by: Self.readOnlyMount + [state.path("state")]).run()
    try expect(ended, exitCode: 4, fault: "store", fix: "remount,rw")
    #expect(ended.output.contains("is read-only"), "\(ended.output)")
  }

  @Test("where no server runs, what lies in files is looked at, and nothing is made")
  func noServer() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    func doctor(_ environment: [String: String] = [:]) async throws -> Ended {
      try await Program.wake(["doctor", "--json"], state: state, environment).run()
    }
    try expect(try await doctor(), exitCode: 3, fault: "store", fix: "wake stack add LABEL")
    #expect(!FileManager.default.fileExists(atPath: state.path("state")))
    try expect(
      try await doctor(["WAKE_TTL": "soon"]), exitCode: 1, fault: "configuration", fix: "correct that setting"
    )
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    try expect(try await doctor(), exitCode: 3, fault: "server", fix: "wake serve")
    let key = state.path("state/service.key")
    try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
    try expect(try await doctor(), exitCode: 4, fault: "service-key", fix: "put the key back")
    #expect(!FileManager.default.fileExists(atPath: key), "a new key is of no use")
    try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
    let store = try FileHandle(forUpdating: URL(fileURLWithPath: state.path("state/wake.sqlite")))
    try store.seek(toOffset: 4_096)
    try store.write(contentsOf: Data(repeating: 0x55, count: 16_384))
    try store.close()
    try expect(try await doctor(), exitCode: 4, fault: "store", fix: "wake restore")
  }

  @Test("a folder that was not named is to be named first, and making one comes second")
  func noFolder() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for device in [[], ["aaaaaaaaaaaaaaaaaaaaaaaaaa"]] {
      let ended = try await Program.wake(["doctor", "--json"] + device, state: state).run()
      try expect(ended, exitCode: 3, fault: "store", fix: "export WAKE_STATE_DIR=FOLDER")
      let fix = try #require(try ended.json["fix"]?.string)
      #expect(fix.hasPrefix("name the state folder") && fix.hasSuffix("wake stack add LABEL makes one"))
    }
    let other = try RawServer { _ in .status(200) }
    defer { other.stop() }
    let ended = try await Program.wake(
      ["doctor", "--json"], state: state, ["WAKE_LISTEN": "127.0.0.1:\(other.port)"]
    ).run()
    try expect(ended, exitCode: 3, fault: "store", fix: "name the state folder")
    #expect(ended.output.contains("something listens at 127.0.0.1:\(other.port)"), "\(ended.output)")
    #expect(ended.output.contains("move the folder back"))
    let listed = try await Program.wake(["device", "list"], state: state).run()
    #expect(listed.exitCode == 3 && listed.errors.contains("name its folder"), "\(listed.errors)")
  }

  @Test(
    "a command that gives no key is to be run by hand, and nothing is restored",
    arguments: ["exit 3", "true", "echo planted", "/nonexistent/planted 2>&-"])
  func keyCommand(command: String) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let settings = ["WAKE_SERVICE_KEY_COMMAND": command]
    let ended = try await Program.wake(["doctor", "--json"], state: state, settings).run()
    try expect(
      ended, exitCode: 4, fault: "service-key", fix: "run the command by hand, as the service's user")
    let listed = try await Program.wake(["device", "list"], state: state, settings).run()
    #expect(listed.exitCode == 4 && listed.errors.contains("run the command by hand"), "\(listed.errors)")
    for words in [ended.output, ended.errors, listed.errors] {
      #expect(!words.contains("planted") && !words.contains("restore"), "\(words)")
    }
  }

  @Test("a key that others may read is closed to them, and nothing is restored")
  func exposedKey() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let key = state.path("state/service.key")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
    let ended = try await Program.wake(["doctor", "--json"], state: state).run()
    try expect(ended, exitCode: 4, fault: "service-key", fix: "chmod 600 \(key)")
    #expect(try ended.json["fix"]?.string?.contains("restore") == false)
    let listed = try await Program.wake(["device", "list"], state: state).run()
    #expect(listed.exitCode == 4 && listed.errors.contains("chmod 600 \(key)"), "\(listed.errors)")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    try expect(
      try await Program.wake(["doctor", "--json"], state: state).run(), exitCode: 3, fault: "server",
      fix: "wake serve")
  }

  @Test("a server that hangs is said to hang, and soon, by whatever asks it")
  func hung() async throws {
    try await Server.with { server in
      _ = try await server.json("stack", "add", "home")
      server.process.signal(SIGSTOP)
      defer { server.process.signal(SIGCONT) }
      let start = ContinuousClock.now
      async let examined = server.wake("doctor", "--json")
      async let sent = server.wake("send", "home", "problem")
      let (ended, refused) = (try await examined, try await sent)
      #expect(start.duration(to: .now) < .seconds(20))
      try expect(ended, exitCode: 3, fault: "server", fix: "systemctl restart wake")
      for words in [ended.output, refused.errors] {
        #expect(words.contains("admin.sock, and does not answer"), "\(words)")
      }
      #expect(refused.exitCode == 3 && refused.errors.contains("systemctl restart wake"))
    }
  }

  @Test("a device that is not there is told with how to find those that are")
  func unknownDevice() async throws {
    try await Server.with { server in
      let ended = try await server.wake("doctor", "aaaaaaaaaaaaaaaaaaaaaaaaaa")
      #expect(ended.exitCode == 1 && ended.errors.contains("`wake device list`"), "\(ended.errors)")
    }
  }

  @Test("what keeps a server from starting is named, and not a start that would fail")
  func cannotStart() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    func doctor(_ environment: [String: String]) async throws -> Ended {
      try await Program.wake(["doctor", "--json"], state: state, environment).run()
    }
    let empty = state.path("empty.pem")
    try Data().write(to: URL(fileURLWithPath: empty))
    for file in [empty, state.path("missing.pem")] {
      try expect(
        try await doctor(["WAKE_PUSH_CA_FILE": file]), exitCode: 3, fault: "configuration", fix: "PEM form")
    }
    let other = try RawServer { _ in .status(200) }
    defer { other.stop() }
    try expect(
      try await doctor(["WAKE_LISTEN": "127.0.0.1:\(other.port)"]), exitCode: 3, fault: "server",
      fix:
        "end what listens there (ss -ltnp 'sport = :\(other.port)' shows it), or set WAKE_LISTEN to another")
    // An address of TEST-NET-1 (RFC 5737) is no machine's own.
    try expect(
      try await doctor(["WAKE_LISTEN": "192.0.2.1:8090"]), exitCode: 3, fault: "server",
      fix: "ip -brief address")
    try expect(
      try await doctor(["WAKE_LISTEN": "unix:\(state.path("missing"))/wake.sock"]), exitCode: 3,
      fault: "server",
      fix: "mkdir -p \(state.path("missing"))")
    try expect(
      try await doctor(["WAKE_LISTEN": "unix:\(empty)"]), exitCode: 3, fault: "server",
      fix: "move that file away")
    let slip = try await doctor(["WAKE_PUSH_ALOW": "https://ntfy.lan"])
    try expect(slip, exitCode: 3, fault: "server", fix: "wake serve")
    #expect(slip.output.contains("WAKE_PUSH_ALOW is no setting of this program"))
    try Data("no PEM".utf8).write(to: URL(fileURLWithPath: state.path("state/tls.crt")))
    try expect(try await doctor([:]), exitCode: 3, fault: "certificate", fix: "wake tls init --force")
  }

  @Test("a certificate that is named and cannot be shown is mended by what the doctor says to type")
  func namedCertificate() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let settings = [
      "WAKE_TLS_CERT_FILE": state.path("missing.crt"), "WAKE_TLS_KEY_FILE": state.path("missing.key"),
    ]
    let ended = try await Program.wake(["doctor", "--json"], state: state, settings).run()
    try expect(
      ended, exitCode: 3, fault: "certificate", fix: "take WAKE_TLS_CERT_FILE and WAKE_TLS_KEY_FILE out")
    #expect(!ended.output.contains("--force"), "\(ended.output)")
    let refused = try await Program.wake(["tls", "init", "--force"], state: state, settings).run()
    #expect(refused.exitCode == 2 && refused.errors.contains("take both out, then: wake tls init"))
    #expect(try await Program.wake(["tls", "init"], state: state).run().exitCode == 0)
    try expect(
      try await Program.wake(["doctor", "--json"], state: state).run(), exitCode: 3, fault: "server",
      fix: "wake serve")
  }

  @Test("wrong words are refused before anything is looked at")
  func usage() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for arguments in [["kitchen"], ["--wait", "x"], ["--wait", "301"], ["--wait", "+5"], ["a", "b"]] {
      let ended = try await Program.wake(["doctor"] + arguments, state: state).run()
      #expect(ended.exitCode == 2 && ended.output.isEmpty, "\(arguments): \(ended.output)")
    }
  }

  @Test("colour is for terminals that want it", arguments: [false, true])
  func colour(isUnwanted: Bool) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let program = Program.wake(
      ["doctor"], state: state, ["TERM": "xterm", "NO_COLOR": isUnwanted ? "1" : ""])
    let ended = try await program.run(columns: 100, lines: 40)
    #expect(ended.output.contains("FAULT") && ended.output.contains("\u{1b}[") != isUnwanted)
  }
}
