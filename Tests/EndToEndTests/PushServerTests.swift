import CryptoPrimitives
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("A real push server: Prosody with mod_unified_push")
struct PushServerTests {
  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("prosody/prosody_push_server.py").path
  /// Debian's own interpreter, for which its packages are built.
  private static let python = "/usr/bin/python3"

  /// Whether the packages are there; the sentence where they are not.
  static let missing: String? = {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: python)
    process.arguments = [script, "--probe"]
    process.standardOutput = output
    process.standardError = output
    guard (try? process.run()) != nil else { return "\(python) is not there" }
    let said = (try? output.fileHandleForReading.readToEnd()) ?? nil
    process.waitUntilExit()
    return process.terminationStatus == 0 ? nil : String(decoding: said ?? Data(), as: UTF8.self)
  }()

  @Test(
    "the octets that arrive over XMPP decrypt to the promised plaintext",
    .enabled(if: missing == nil, "SKIPPED: no real push server here: \(missing ?? "")"),
    .timeLimit(.minutes(10)))
  func wake() async throws {
    let prosody = try LineProcess(Program(path: Self.python, arguments: [Self.script]))
    defer { prosody.closeInput() }
    let ready = try #require(try await prosody.next())
    let endpoint = try #require(ready["endpoint"]?.string, "\(ready.text)")
    let origin = try #require(
      URLComponents(string: endpoint).map { "\($0.scheme ?? "")://\($0.host ?? ""):\($0.port ?? 0)" })

    try await Server.with(["WAKE_PUSH_ALLOW": origin]) { server in
      let stack = try await server.json("stack", "add", "home")
      let id = try #require(stack["stack"]?.string)
      let pairing = try await server.json("pair", "home")
      let companion = try Companion()
      let registered = try await server.ask(
        "POST", "/v1/stacks/\(id)/devices", token: try #require(pairing["code"]?.string),
        json: ["client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys])
      #expect(registered.status == 201)
      try await Self.expectWake(from: prosody, for: companion, stack: id)  // the activation

      let raised = try await server.ask(
        "POST", "/v1/stacks/\(id)/alerts", token: try #require(stack["hookToken"]?.string),
        json: ["kind": "problem", "alert": ["disk": "sda"]])
      #expect(raised.status == 202)
      try await Self.expectWake(from: prosody, for: companion, stack: id)

      let attempts = try await server.json("attempts").array ?? []
      #expect(attempts.count == 2)
      let tested = try await server.wake(
        "device", "test", try #require(registered.json["device"]?.string), "--wait", "0")
      #expect(tested.exitCode == 0, "\(tested.errors)")
      try await Self.expectWake(from: prosody, for: companion, stack: id)
    }
    prosody.closeInput()
    while let line = try await prosody.next() { #expect(line["event"] != "error", "\(line.text)") }
    #expect(await prosody.exitCode() == 0)
  }

  private static func expectWake(from prosody: LineProcess, for companion: Companion, stack: String)
    async throws
  {
    let line = try #require(try await prosody.next())
    #expect(line["event"] == "push", "\(line.text)")
    let body = try #require(Data(base64Encoded: line["base64"]?.string ?? ""))
    #expect(body.count == 256)
    let plaintext = try StrictJSON.parse(companion.decrypt(Array(body)))
    #expect(plaintext["v"] == 1 && plaintext["s"]?.string == stack)
    #expect(plaintext["mv"]?.string?.count == 8 && plaintext["w"]?.string?.count == 22)
  }
}
