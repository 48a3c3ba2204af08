import CryptoPrimitives
import EndpointRegistry
import Foundation
import HTTPClient
import KindCatalogue
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
      "serve", "stack add", "stack list", "stack show", "stack kinds", "stack set", "stack remove", "pair",
      "device list",
      "device revoke", "device test", "device find", "send", "attempts", "backup", "verify", "restore",
      "kinds", "doctor", "pushserver", "demo",
    ] {
      #expect(help.output.contains("  \(command)"), "\(command)")
      let page = try await Program.wake(
        ["help"] + command.split(separator: " ").map(String.init), state: state
      ).run()
      #expect(page.exitCode == 0 && page.output.hasPrefix("usage: wake \(command)"), "\(command)")
      #expect(page.output.contains("--json"), "\(command)")
    }
    for (family, verbs) in [
      ("companion", ["pair", "run", "status"]), ("admin-token", ["add", "list", "revoke"]),
      ("service-key", ["new", "rotate"]), ("tls", ["init", "show"]),
    ] {
      #expect(help.output.contains("  \(family) \(verbs.joined(separator: "|"))"))
      for words in [["help", family], [family, "--help"]] {
        let page = try await Program.wake(words, state: state).run()
        #expect(page.exitCode == 0 && page.output.hasPrefix("usage: wake \(family) COMMAND"))
        for verb in verbs { #expect(page.output.contains("  \(family) \(verb)")) }
      }
    }
  }

  /// By rules that need no table of zones; POSIX counts hours west of Greenwich.
  static let zones = [
    ("AHEAD-14", "+14:00"), ("BEHIND+3:30", "-03:30"), ("BARELY+0:30", "-00:30"), ("HALF-5:45", "+05:45"),
    ("WEST+11", "-11:00"), ("NONE0", "+00:00"),
  ]

  @Test("people read times of their own zone, and programs RFC 3339 in UTC", arguments: zones)
  func times(zone: String, offset: String) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    func run(_ words: String...) async throws -> Ended {
      try await Program.wake(words, state: state, ["TZ": zone]).run()
    }
    _ = try await run("stack", "add", "home")
    _ = try await run("admin-token", "add", "desk")
    let page = try await run("admin-token", "list").output
    let line = try #require(page.split(separator: "\n").last)
    let time = try #require(line.firstMatch(of: /([0-9-]{10}) ([0-9:]{8}) ([+-][0-9:]{5})$/))
    #expect(time.3 == offset)
    let made = try #require(
      try await run("admin-token", "list", "--json").json.array?.first?["createdAt"]?.string)
    #expect(made.wholeMatch(of: /[0-9-]{10}T[0-9:]{8}\.[0-9]{3}Z/) != nil)
    // The same second of the world's time.
    let read = try Date("\(time.1)T\(time.2)\(offset)", strategy: .iso8601)
    #expect(read == (try Date("\(made.prefix(19))Z", strategy: .iso8601)))
  }

  @Test("help on words that several commands begin with lists those and no others")
  func groups() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for (group, has, hasNot) in [
      ("device", "device revoke", "stack add"), ("stack", "stack add", "device list"),
      ("stack hook-token", "stack hook-token revoke", "stack add"),
    ] {
      let words = group.split(separator: " ").map(String.init)
      for arguments in [["help"] + words, words + ["--help"], words + ["-h"]] {
        let page = try await Program.wake(arguments, state: state).run()
        #expect(page.exitCode == 0 && page.output.hasPrefix("usage: wake \(group) COMMAND"), "\(arguments)")
        #expect(page.output.contains("  \(has)") && !page.output.contains("  \(hasNot)"), "\(arguments)")
      }
    }
  }

  @Test("help says whether --json is one document, or one object a line")
  func helpOnJSON() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for (words, isLines) in [
      (["pushserver"], true), (["companion", "run"], true), (["doctor"], false), (["device", "list"], false),
    ] {
      let page = try await Program.wake(["help"] + words, state: state).run().output
      #expect(page.contains("answer with one JSON object a line") == isLines, "\(page)")
      #expect(page.contains("answer with one JSON document") != isLines, "\(page)")
    }
  }

  @Test("help on a command lists the settings that make a difference to it")
  func settings() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    for (command, has, hasNot) in [
      ("stack list", ["WAKE_STATE_DIR", "WAKE_DATABASE"], ["WAKE_TTL", "WAKE_PUBLIC_URL"]),
      ("device test", ["WAKE_STATE_DIR"], ["WAKE_DATABASE"]), ("pair", ["WAKE_PUBLIC_URL"], ["WAKE_TTL"]),
      ("serve", ["WAKE_STATE_DIR", "WAKE_TTL", "WAKE_PUBLIC_URL", "WAKE_PUSH_ALLOW"], []),
    ] {
      let words = command.split(separator: " ").map(String.init)
      let page = try await Program.wake(["help"] + words, state: state).run().output
      for name in has { #expect(page.contains(", \(name)\n"), "\(command): \(name)") }
      for name in hasNot { #expect(!page.contains(", \(name)\n"), "\(command): \(name)") }
    }
  }

  @Test("it says which version it is, the same wherever it says so")
  func version() async throws {
    try await Server.with(["WAKE_METRICS_LISTEN": "127.0.0.1:0"]) { server in
      let said = try await server.wake("--version")
      #expect(said.exitCode == 0 && said.output == "wake \(Build.version)\n")
      #expect(Build.version.hasPrefix("0."))
      let told = try await server.json("--version")
      #expect(told["contract"] == 1 && told["version"]?.string == Build.version)
      let metrics = try await HTTPClient().send(
        "GET", "http://\(try #require(server.metrics))/metrics", headers: [], body: nil)
      let page = String(decoding: metrics.body, as: UTF8.self)
      let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("wake_build_info{") })
      #expect(line.contains("\"\(Build.version)\"") && line.contains("\"\(Build.contract)\""), "\(line)")
      let file = server.state.path("report.json")
      _ = try await server.wake("doctor", "--report", file)
      let report = try StrictJSON.parse(Array(try server.state.text("report.json").utf8))
      #expect(report["version"]?.string == Build.version)
    }
  }

  @Test(
    "flags in front of the command are told to follow it, with the line as it should be",
    arguments: [
      (["--json", "attempts"], "write `wake attempts --json`"),
      (["--json", "stack", "show", "home"], "write `wake stack show STACK --json`"),
      (["--state-dir=/here", "--json", "attempts"], "write `wake attempts --state-dir FOLDER --json`"),
      (["--state-dir", "/here", "attempts"], "write `wake attempts --state-dir FOLDER`"),
      (["--json", "device", "revoke", "secret"], "write `wake device revoke DEVICE --json`"),
      (["--json"], "`wake --help` lists all commands"),
      (["--json", "weather"], "`wake --help` lists all commands"),
    ])
  func flagsFirst(arguments: [String], says words: String) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(arguments, state: state).run()
    #expect(ended.exitCode == 2 && ended.output.isEmpty)
    #expect(ended.errors == "wake: flags follow the command: \(words)\n")
  }

  @Test("a stack's window and its quiet kinds are set, shown, and set back")
  func stackSet() async throws {
    try await Server.with { server in
      let id = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
      #expect(try await server.json("stack", "show", id)["window"] == .null)
      let set = try await server.json("stack", "set", "home", "--window", "5", "--quiet", "completion")
      #expect(set["window"] == 5 && set["quiet"] == ["completion"])
      #expect(try await server.json("stack", "show", id) == set)
      #expect(try await server.json("send", "home", "completion")["devices"] == 0)
      let back = try await server.json("stack", "set", "home", "--window", "default", "--quiet", "none")
      #expect(back["window"] == .null && back["quiet"] == [])
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
      ["attempts", "--since", "yesterday"], ["stack", "set", "a"], ["stack", "set", "a", "--window", "30s"],
      ["stack", "set", "a", "--window", "86401"], ["stack", "set", "a", "--quiet", "problem"],
      ["send", "a", "problem", "--wake", "--no-wake"], ["device", "test", "x", "--wait", "1"],
      ["serve", "--config", "/nowhere/wake.conf"], ["pushserver", "--as", "nobody"],
      ["pushserver", "--listen", "8080"], ["pushserver", "--tls-cert", "secret.pem"],
      ["pushserver", "--script", "/nowhere/script"], ["pushserver", "--count", "0"],
      ["pushserver", "--tls-make", "/nowhere/made.crt", "--tls-key", "secret.pem"],
      ["pushserver", "--count", "+1"], ["pushserver", "--timeout", "+1"], ["attempts", "--limit", "+5"],
      ["attempts", "--since", "+5"], ["stack", "set", "a", "--window", "+5"], ["serve", "--ttl", "+5"],
      ["device", "test", "aaaaaaaaaaaaaaaaaaaaaaaaaa", "--wait", "+5"],
      ["companion", "run", "--state", "x", "--timeout", "+5"],
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
      ["backup", "file"],
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
      #expect(pairing.object?.names == ["pairing", "code", "uri", "stack", "expiresAt"])
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

  @Test("what is said of a stack is kept: its name, its tokens, its VAPID keys")
  func stackCommands() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
      let phone = try await server.phone(pushServer, stack: "home")
      let raise = { (token: String) async throws in
        try await server.ask(
          "POST", "/v1/stacks/\(phone.stack)/alerts", token: token, json: ["kind": "backup"]
        )
        .status
      }
      #expect(try await server.json("stack", "rename", "home", "cabin")["label"] == "cabin")
      #expect(try await server.json("stack", "show", "cabin")["stack"]?.string == phone.stack)

      let spare = try await server.json("stack", "hook-token", "add", "cabin", "spare")
      #expect(spare.object?.names == ["name", "hookToken"])
      let token = try #require(spare["hookToken"]?.string)
      #expect(try await server.wake("stack", "hook-token", "add", "cabin", "spare").exitCode == 1)
      let names = try await server.json("stack", "hook-token", "list", "cabin").array?.map { $0["name"] }
      #expect(names == ["core", "spare"])
      #expect(try await raise(token) == 202)
      #expect(try await server.json("stack", "hook-token", "revoke", "cabin", "spare")["revoked"] == true)
      #expect(try await raise(token) == 401)
      #expect(try await raise(phone.hook) == 202)
      #expect(try await server.wake("stack", "hook-token", "revoke", "cabin", "spare").exitCode == 1)

      let admin = try await server.json("admin-token", "add", "laptop")
      #expect(admin.object?.names == ["name", "adminToken"])
      #expect(admin["adminToken"]?.string?.hasPrefix("wka_") == true)
      #expect(try await server.json("admin-token", "list").array?.count == 1)
      #expect(try await server.json("admin-token", "revoke", "laptop")["revoked"] == true)
      #expect(try await server.json("admin-token", "list") == [])

      #expect(
        try await server.json("device", "mute", phone.device, "update,backup")["muted"] == [
          "update", "backup",
        ])
      #expect(try await server.json("device", "mute", phone.device, "none")["muted"] == [])
      #expect(try await server.json("device", "list", "--stale") == [])
    }
    await pushServer.stop()
  }

  @Test("a new VAPID key cuts nobody off until the old one is retired, and says whom that concerns")
  func rotation() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
      let phone = try await server.phone(pushServer, stack: "home")
      let before = try await server.json("stack", "show", "home")["vapidPublicKey"]
      let rotated = try await server.json("stack", "rotate-key", "home")
      #expect(rotated.object?.names == ["stack", "vapidPublicKey", "keys", "devicesOnOldKeys", "cutOff"])
      #expect(rotated["vapidPublicKey"] != before && rotated["devicesOnOldKeys"] == 1)
      let shown = try await server.ask("GET", "/v1/stacks/\(phone.stack)", token: phone.token)
      #expect(shown.json["vapidPublicKey"] == rotated["vapidPublicKey"])

      // Every wake so far and the next one are signed with the key of the subscription.
      #expect(try await server.wake("device", "test", phone.device, "--wait", "0").exitCode == 0)
      let keys = pushServer.messages.compactMap { $0.header("Authorization")?.split(separator: "k=").last }
      #expect(keys.count == 2 && Set(keys).map(String.init) == [before?.string])

      // Nobody is there to be asked: nothing happens without a word that says so.
      let refused = try await server.wake("stack", "rotate-key", "home", "--retire-now", "--json")
      #expect(
        refused.exitCode == 2 && refused.errors.contains(phone.device) && refused.errors.contains("--yes"))
      #expect(try await server.json("stack", "rotate-key", "home", "--status")["devicesOnOldKeys"] == 1)
      let shownFirst = try await server.wake("stack", "rotate-key", "home", "--retire-now", "--yes", "--json")
      #expect(shownFirst.exitCode == 0 && shownFirst.errors.contains(phone.device))
      #expect(try shownFirst.json["cutOff"] == [.string(phone.device)])
      #expect(try shownFirst.json["vapidPublicKey"] == rotated["vapidPublicKey"])
      let state = try await server.ask(
        "GET", "/v1/stacks/\(phone.stack)/devices/\(phone.device)", token: phone.token)
      #expect(state.json["state"] == "no-push")
      let status = try await server.json("stack", "rotate-key", "home", "--status")
      #expect(status["keys"]?.array?.count == 1 && status["vapidPublicKey"] == rotated["vapidPublicKey"])
      // Once more is no harm: there is nothing to retire, and no new key to cut anybody off from.
      let again = try await server.json("stack", "rotate-key", "home", "--retire-now")
      #expect(again["vapidPublicKey"] == rotated["vapidPublicKey"] && again["cutOff"] == [])

      // The app subscribes anew with the key that the stack offers.
      let renewed = try await server.ask(
        "PATCH", "/v1/stacks/\(phone.stack)/devices/\(phone.device)", token: phone.token,
        json: [
          "endpoint": .string(phone.endpoint), "keys": phone.companion.keys,
          "vapidPublicKey": shown.json["vapidPublicKey"] ?? .null,
        ])
      #expect(renewed.status == 200 && renewed.json["state"] == "unconfirmed")
      let last = await pushServer.wait(for: 3).last?.header("Authorization")?.split(separator: "k=").last
      #expect(last.map(String.init) == rotated["vapidPublicKey"]?.string)
    }
    await pushServer.stop()
  }

  @Test("a list of more devices than a page is one document, in order and whole")
  func longList() async throws {
    try await Server.with { server in
      let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
      let count = 2 * Limits.pageRows + 1
      var sources = ConfigurationSources()
      sources.add(environment: ["WAKE_STATE_DIR": server.state.path("state")])
      let store = try Configuration(sources, environment: [:], workingFolder: "/").openStore(create: false)
      let id = try #require(StackID(stack))
      for _ in 0..<count {
        let now = WallClock.system.now()
        let code = try await store.addPairing(stack: id, at: now, expiresAt: now + 60_000)
        _ = try await store.register(Registration(pairing: code, client: .minted(.system)), at: now)
      }
      await store.close()
      let listed = try await server.wake("device", "list", "--stack", "home", "--json")
      let devices = try JSONDecoder().decode([[String: JSONAnything]].self, from: Data(listed.output.utf8))
      let ids = devices.compactMap { $0["device"]?.text }
      #expect(ids.count == count && ids == ids.sorted() && Set(ids).count == count)
      let table = try await server.wake("device", "list")
      #expect(table.output.split(separator: "\n").count == count + 1)
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
      for kind in Kind.allCases { #expect(ended.errors.contains(kind.name), "\(ended.errors)") }
      #expect(ended.errors.contains("`wake kinds`"))
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
      let tested = try await server.wake("device", "test", phone.device, "--wait", "0")
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

/// A JSON value of which only text is of interest.
private struct JSONAnything: Decodable {
  let text: String?

  init(from decoder: any Decoder) throws {
    text = try? decoder.singleValueContainer().decode(String.self)
  }
}

extension Server {
  /// A phone on a new stack.
  func phone(
    _ pushServer: StandInPushServer, stack label: String, target: String = "/up/phone"
  ) async throws
    -> (stack: String, device: String, token: String, hook: String, endpoint: String, companion: Companion)
  {
    let added = try await json("stack", "add", label)
    let id = try #require(added["stack"]?.string)
    let code = try #require(try await json("pair", id)["code"]?.string)
    let companion = try Companion()
    let endpoint = pushServer.origin + target
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
