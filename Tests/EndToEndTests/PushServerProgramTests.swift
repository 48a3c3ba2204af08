import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing

@Suite("wake pushserver, beside the running service")
struct PushServerProgramTests {
  /// Runs `body` with a push server, and ends it whatever happens.
  private func with(
    _ arguments: [String], in folder: TemporaryFolder, _ body: (LineProcess, String) async throws -> Void
  ) async throws {
    let process = try LineProcess(.wake(["pushserver", "--json"] + arguments, state: folder))
    do {
      let first = try #require(try await process.next())
      #expect(first["what"] == "listening")
      try await body(process, try #require(first["origin"]?.string))
    } catch {
      process.signal(SIGKILL)
      _ = await process.exitCode()
      throw error
    }
  }

  /// A stack with a phone at this endpoint.
  private func phone(at endpoint: String, on server: Server, stack label: String = "home") async throws
    -> String
  {
    let stack = try #require(try await server.json("stack", "add", label)["stack"]?.string)
    let code = try #require(try await server.json("pair", label)["code"]?.string)
    let companion = try Companion()
    let registered = try await server.ask(
      "POST", "/v1/stacks/\(stack)/devices", token: code,
      json: ["client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys])
    #expect(registered.status == 201)
    return try #require(registered.json["device"]?.string)
  }

  @Test("the service's wakes pass every check, over http and over https", arguments: [false, true])
  func strict(https: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let certificate = folder.path("push.crt")
    let tls = https ? ["--tls-make", certificate] : []
    try await with(tls + ["--count", "3", "--timeout", "120"], in: folder) { pushServer, origin in
      #expect(origin.hasPrefix(https ? "https://127.0.0.1:" : "http://127.0.0.1:"))
      var settings = [
        "WAKE_PUSH_ALLOW": origin, "WAKE_WINDOW": "0", "WAKE_CONTACT": "mailto:owner@box.example",
      ]
      if https { settings["WAKE_PUSH_CA_FILE"] = certificate }
      try await Server.with(settings) { server in
        let device = try await phone(at: "\(origin)/up/secret-phone", on: server)
        _ = try await server.json("send", "home", "problem")
        _ = try await server.wake("device", "test", device, "--wait", "0")
        for _ in 0..<3 {
          let line = try #require(try await pushServer.next())
          #expect(line["status"] == 201 && line["octets"] == 256 && line["failed"] == [], "\(line.text)")
          #expect(!line.text.contains("secret"))
        }
      }
      #expect(await pushServer.exitCode() == 0)
    }
  }

  @Test("what a push server says reaches the operator, and 410 ends the registration")
  func autopush() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await with(["--as", "autopush"], in: folder) { pushServer, origin in
      try await Server.with(["WAKE_PUSH_ALLOW": origin]) { server in
        let gone = try await phone(at: "\(origin)/unsubscribed-1", on: server, stack: "gone")
        let refused = try await phone(at: "\(origin)/other-key-1", on: server, stack: "refused")
        for _ in 0..<2 { #expect(try await pushServer.next()?["failed"] == []) }
        var states: [String?] = []
        let end = ContinuousClock.now + .seconds(60)
        repeat {
          let devices = try await server.json("device", "list").array ?? []
          states = [gone, refused].map { id in
            devices.first { $0["device"]?.string == id }?["state"]?.string
          }
        } while states != ["gone", "undelivered"] && ContinuousClock.now < end
        #expect(states == ["gone", "undelivered"])
        let attempts = try await server.json("attempts", "--device", refused).array ?? []
        #expect(attempts.first?["outcome"] == "refused" && attempts.first?["status"] == 401)
      }
      pushServer.signal(SIGTERM)
      #expect(await pushServer.exitCode() == 0)
    }
  }

  @Test(
    "a hostile push server costs the service time alone, and its memory stays small, by http and https",
    arguments: [false, true])
  func hostile(https: Bool) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let faults = ["endless-body", "endless-headers", "gzip-bomb", "hint-flood", "goaway", "reset", "silent"]
    let certificate = folder.path("push.crt")
    let tls = https ? ["--tls-make", certificate] : []
    try await with(["--as", "hostile"] + tls, in: folder) { pushServer, origin in
      var settings = ["WAKE_PUSH_ALLOW": origin]
      if https { settings["WAKE_PUSH_CA_FILE"] = certificate }
      try await Server.with(settings) { server in
        for fault in faults { _ = try await phone(at: "\(origin)/\(fault)-1", on: server, stack: fault) }
        var seen: Set<String> = []
        while seen.count < faults.count, let line = try await pushServer.next() {
          if let fault = line["fault"]?.string { seen.insert(fault) }
        }
        #expect(seen == Set(faults))
        var attempts: [JSONValue] = []
        let end = ContinuousClock.now + .seconds(90)
        repeat {
          attempts = try await server.json("attempts").array ?? []
        } while attempts.count { $0["outcome"] != "unknown" } < faults.count && ContinuousClock.now < end
        #expect(attempts.count == faults.count)
        #expect(attempts.allSatisfy { $0["outcome"] == "accepted" || $0["outcome"] == "network" })
        let status = try String(contentsOfFile: "/proc/\(server.process.pid)/status", encoding: .utf8)
        let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?
          .split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) }
        #expect(try #require(peak) < 200 * 1_024 * Sanitizer.memoryFactor, "kibibytes")
      }
      pushServer.signal(SIGINT)
      #expect(await pushServer.exitCode() == 0)
    }
  }

  @Test("it speaks https with a certificate that is there already")
  func certificate() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let made = try await Program.wake(["tls", "init", "--host", "127.0.0.1"], state: folder).run()
    #expect(made.exitCode == 0, "\(made.errors)")
    let (certificate, key) = (folder.path("state/tls.crt"), folder.path("state/tls.key"))
    for plays in ["strict", "hostile"] {
      let arguments = ["--as", plays, "--tls-cert", certificate, "--tls-key", key, "--count", "1"]
      try await with(arguments, in: folder) { pushServer, origin in
        let answer = try await HTTPClient(caFile: certificate).send(
          "POST", "\(origin)/up/phone", headers: [], body: [1])
        #expect(answer.status == 401)
        #expect(try await pushServer.next()?["failed"]?.array?.first?["check"] == "authorization")
        // The one that was counted failed a check.
        #expect(await pushServer.exitCode() == 1)
      }
    }
    let mixed = ["pushserver", "--tls-cert", key, "--tls-key", certificate]
    let refused = try await Program.wake(mixed, state: folder).run()
    #expect(refused.exitCode == 1 && refused.errors.split(separator: "\n").count == 1)
  }

  @Test("a script decides, and what does not come in time is exit code 1")
  func script() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let file = folder.path("script.json")
    try Data(#"{"rules":[{"path":"/up/*","answers":[{"status":503},{}]}]}"#.utf8)
      .write(to: URL(fileURLWithPath: file))
    try await with(["--script", file, "--count", "2", "--timeout", "120"], in: folder) { pushServer, origin in
      try await Server.with(["WAKE_PUSH_ALLOW": origin]) { server in
        let device = try await phone(at: "\(origin)/up/phone", on: server)
        #expect(try await pushServer.next()?["status"] == 503)
        _ = try await server.wake("device", "test", device, "--wait", "0")
        #expect(try await pushServer.next()?["status"] == 201)
      }
      #expect(await pushServer.exitCode() == 0)
    }
    try Data(#"{"rules":[{"path":"up","answers":[{}]}]}"#.utf8).write(to: URL(fileURLWithPath: file))
    let refused = try await Program.wake(["pushserver", "--script", file], state: folder).run()
    #expect(refused.exitCode == 2 && refused.errors.contains("script.json: /rules/0/path is no pattern"))
    let late = try await Program.wake(["pushserver", "--count", "1", "--timeout", "1"], state: folder).run()
    #expect(late.exitCode == 1 && late.errors == "wake: 0 of 1 requests came within 1 s\n")
    #expect(late.output.hasPrefix("strict push server at http://127.0.0.1:"))
  }
}
