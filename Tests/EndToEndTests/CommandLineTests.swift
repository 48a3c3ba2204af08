import Foundation
import KindCatalogue
import HTTPClient
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("The command line")
struct CommandLineTests {
  @Test("help fits one screen, names every command, and each command has a page of its own")
  func help() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let help = try await Program.wake(["--help"], state: state).run()
    #expect(help.exitCode == 0 && help.errors.isEmpty)
    let lines = help.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 40 && lines.allSatisfy { $0.count <= 110 })
    for command in [
      "serve", "stack add", "stack list", "stack show", "stack kinds", "stack remove", "pair", "device list",
      "device revoke", "device test", "device find", "send", "attempts", "kinds", "demo",
    ] {
      #expect(help.output.contains("  \(command)"), "\(command)")
      let page = try await Program.wake(
        ["help"] + command.split(separator: " ").map(String.init), state: state
      ).run()
      #expect(page.exitCode == 0 && page.output.hasPrefix("usage: wake \(command)"), "\(command)")
      #expect(page.output.contains("--json"), "\(command)")
    }
  }

  @Test(
    "wrong usage is exit code 2 and one readable line",
    arguments: [
      ["weather"], ["stack"], ["stack", "add"], ["stack", "add", "a", "b"],
      ["stack", "add", "a", "--id", "x"],
      ["stack", "add", "a", "--kinds", "problem,weather"], ["stack", "list", "--nonsense"],
      ["serve", "--ttl", "-1"], ["serve", "--listen", "nowhere"], ["serve", "--ttl"],
      ["device", "revoke", "x"],
      ["device", "find", "https://push.example.net/secret"], ["stack", "list", "--json=1"],
      ["attempts", "--since", "yesterday"], ["serve", "--config", "/nowhere/wake.conf"],
    ])
  func usage(arguments: [String]) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(arguments, state: state).run()
    #expect(ended.exitCode == 2)
    #expect(ended.output.isEmpty)
    #expect(ended.errors.hasPrefix("wake: ") && ended.errors.split(separator: "\n").count == 1)
    #expect(!ended.errors.contains("secret"))
  }

  @Test(
    "without a store the command says where it looked, makes none, and exits with 3",
    arguments: [
      ["stack", "list"], ["stack", "show", "home"], ["pair", "home"], ["device", "list"], ["attempts"],
      ["device", "revoke", "aaaaaaaaaaaaaaaaaaaaaaaaaa"], ["send", "home", "problem"],
    ])
  func noStore(arguments: [String]) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(arguments, state: state).run()
    #expect(ended.exitCode == 3)
    #expect(ended.errors.contains(state.path("state/wake.sqlite")))
    #expect(!FileManager.default.fileExists(atPath: state.path("state")))
  }

  @Test("every answer of --json is one document, and nothing else")
  func documents() async throws {
    try await Server.with { server in
      let added = try await server.json("stack", "add", "home", "--kinds", "backup,problem")
      #expect(added.object?.names == ["stack", "label", "kinds", "hookToken", "vapidPublicKey"])
      #expect(added["kinds"] == ["problem", "backup"])
      let id = try #require(added["stack"]?.string)
      #expect(try await server.json("stack", "list").array?.count == 1)
      #expect(try await server.json("stack", "show", "home")["stack"]?.string == id)
      #expect(try await server.json("stack", "kinds", id, "member")["kinds"] == ["member"])
      let pairing = try await server.json("pair", "home")
      #expect(pairing.object?.names == ["code", "uri", "stack", "expiresAt"])
      let link = try #require(PairingLink(pairing["uri"]?.string ?? ""))
      #expect(link.stack == id && link.code == pairing["code"]?.string)
      #expect(link.vapidPublicKey == added["vapidPublicKey"]?.string)
      #expect(try await server.json("device", "list") == [])
      #expect(try await server.json("attempts") == [])
      #expect(try await server.json("kinds")["kinds"]?.array?.count == 6)
      let sent = try await server.json(
        "send", "home", "problem", "--event", "disk.failed", "--ref", "sda", "--moment", "onset", "--alert",
        #"{"disk":"sda"}"#)
      #expect(sent.object?.names == ["id", "kind", "devices"])
      #expect(try await server.json("stack", "remove", "home")["removed"] == true)
      #expect(try await server.json("stack", "list") == [])
    }
  }

  @Test("send and test go through the server: without one they exit with 3 and say so")
  func unreachable() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    for arguments in [["send", "home", "problem"], ["device", "test", "aaaaaaaaaaaaaaaaaaaaaaaaaa"]] {
      let ended = try await Program.wake(arguments, state: state).run()
      #expect(ended.exitCode == 3 && ended.errors.contains("wake serve"))
    }
  }

  @Test("a label that names two stacks is ambiguous, and the ids are shown")
  func ambiguous() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for id in ["first-home", "second-home"] {
      let added = try await Program.wake(["stack", "add", "home", "--id", id], state: state).run()
      #expect(added.exitCode == 0)
    }
    let ended = try await Program.wake(["stack", "show", "home"], state: state).run()
    #expect(
      ended.exitCode == 1 && ended.errors.contains("first-home") && ended.errors.contains("second-home"))
    #expect(try await Program.wake(["stack", "show", "first-home"], state: state).run().exitCode == 0)
    #expect(
      try await Program.wake(["stack", "add", "x", "--id", "first-home"], state: state).run().exitCode == 1)
  }

  @Test("a refused kind is exit code 1, and the line names the way out")
  func refused() async throws {
    try await Server.with { server in
      _ = try await server.json("stack", "add", "home")
      let ended = try await server.wake("send", "home", "weather")
      #expect(ended.exitCode == 1 && ended.errors.contains("kind-unknown") && ended.output.isEmpty)
    }
  }

  @Test("the registry's commands see and change what a running server serves, within a second")
  func running() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
      let phone = try await server.phone(pushServer, stack: "home")
      let listed = try await server.json("device", "list")
      #expect(listed.array?.first?["device"]?.string == phone.device)
      #expect(listed.array?.first?["endpointDigest"]?.string?.isEmpty == false)
      let found = try await server.json("device", "find", "-", input: phone.endpoint + "\n")
      #expect(found.array?.first?["device"]?.string == phone.device)
      #expect(try await server.json("device", "find", "-", input: "https://push.example.net/no\n") == [])

      pushServer.answer("/up/phone", with: 507)
      let tested = try await server.wake("device", "test", phone.device)
      #expect(tested.exitCode == 1)
      #expect(tested.errors.contains("507") && tested.errors.contains(pushServer.origin))
      #expect(!tested.errors.contains("/up/phone") && tested.errors.split(separator: "\n").count == 1)

      _ = try await server.json("device", "revoke", phone.device)
      let reply = try await server.ask("GET", "/v1/stacks/\(phone.stack)/alerts", token: phone.token)
      #expect(reply.status == 410)
    }
    await pushServer.stop()
  }
}

extension Server {
  /// A phone on a new stack.
  func phone(_ pushServer: StandInPushServer, stack label: String) async throws
    -> (stack: String, device: String, token: String, hook: String, endpoint: String, companion: Companion)
  {
    let added = try await json("stack", "add", label)
    let id = try #require(added["stack"]?.string)
    let code = try #require(try await json("pair", id)["code"]?.string)
    let companion = try Companion()
    let endpoint = pushServer.origin + "/up/phone"
    let reply = try await ask(
      "POST", "/v1/stacks/\(id)/devices", token: code,
      json: ["client": .string(companion.client), "endpoint": .string(endpoint), "keys": companion.keys])
    #expect(reply.status == 201)
    return (
      id, try #require(reply.json["device"]?.string), try #require(reply.json["token"]?.string),
      try #require(added["hookToken"]?.string), endpoint, companion
    )
  }
}
