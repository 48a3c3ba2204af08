import CryptoPrimitives
import EndpointRegistry
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer
import WebPushCrypto

extension Reliability {
  @Suite("Secrets never show")
  struct CanaryTests {
    private static let path = "/up/canary-8d1f7be2a9-endpoint/with-9f31c0d7"
    private static let alertText = "canary-alert-text-55170a8b"
    private static let eventText = "canary.event.20c4e1"
    private static let refText = "canary-ref-b81e77d2"
    private static let passphrase = "canary passphrase 71c2d9 that nobody reads"

    /// What came to light and where: logs, answers, files.
    private struct Light {
      var texts: [(place: String, data: Data)] = []

      mutating func add(_ place: String, _ text: String) { texts.append((place, Data(text.utf8))) }
      mutating func add(_ place: String, _ reply: HTTPExchange) {
        texts.append(
          (place, Data(reply.headers.flatMap { Array("\($0.name): \($0.value)\n".utf8) } + reply.body)))
      }
      mutating func add(_ place: String, _ ended: Ended) {
        add("\(place), output", ended.output)
        add("\(place), errors", ended.errors)
      }
    }

    /// The secrets of one run, and what the people in it keep.
    private struct Plants {
      /// Looked for everywhere.
      var everywhere = Canaries()
      /// What the service tells those whom it concerns, but neither its log nor its files nor anybody else.
      var content = Canaries()
    }

    @Test(
      "over the whole flow at the highest log level: not in logs, answers, metrics, /proc, backups or the database"
    )
    func wholeFlow() async throws {
      let pushServer = try StandInPushServer()
      // Says back all that it was sent, as a badly made push server does in its errors.
      let echo = try RawServer { .status(400, body: $0.lines.joined(separator: " ")) }
      defer { echo.stop() }
      let state = try TemporaryFolder()
      defer { state.remove() }
      let echoOrigin = "http://127.0.0.1:\(echo.port)"
      let settings = [
        "WAKE_PUSH_ALLOW": "\(pushServer.origin),\(echoOrigin)", "WAKE_WINDOW": "0",
        "WAKE_LOG_LEVEL": "debug",
        "WAKE_METRICS_LISTEN": "127.0.0.1:0", "WAKE_ADMIN_LISTEN": "127.0.0.1:0",
      ]
      var (plants, light) = (Plants(), Light())
      let server = try await Server(state, settings)
      do {
        try await Self.flow(server, pushServer, echoOrigin, &plants, &light)
        try await Self.lookAtProcess(server, &light)
      } catch {
        _ = await server.stop()
        await pushServer.stop()
        throw error
      }
      // What a killed server leaves in its log as well.
      server.process.signal(SIGKILL)
      _ = await server.process.exitCode()
      for request in echo.requests {
        let token = request.header("Authorization")?.split(separator: "t=").last?.split(separator: ",").first
        plants.everywhere.plant("a signed token", text: String(try #require(token)))
      }
      light.add("the log", try server.log())
      var files = 0
      for file in try FileManager.default.subpathsOfDirectory(atPath: state.path("")) {
        let path = state.path(file)
        guard file != "state/service.key", file != "passphrase", file != "input",
          let data = try? Data(contentsOf: URL(fileURLWithPath: path))
        else { continue }
        light.texts.append((file, data))
        files += 1
      }
      #expect(files >= 6 && plants.everywhere.count > 20 && light.texts.count > 60)

      let findings = light.texts.flatMap { text in
        plants.everywhere.findings(in: text.data, text.place)
          + (text.place.hasPrefix("answer") ? [] : plants.content.findings(in: text.data, text.place))
      }
      #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
      Figures.note(
        "secrets that were planted",
        "\(plants.everywhere.count + plants.content.count), "
          + "looked for in \(light.texts.count) places: \(findings.count) hits")
      await pushServer.stop()
    }

    @Test("a secret that does come to light is found, in whatever form", arguments: ["log", "database"])
    func finds(place: String) throws {
      var canaries = Canaries()
      let octets = RandomOctets.system(32)
      canaries.plant(token: "token", "wkd_\(Base64URL.encode(octets))")
      canaries.plant("path", text: Self.path)
      let around = Data(RandomOctets.system(1_000))
      for form in [
        Data(octets), Data(Base64URL.encode(octets).utf8), Data(Hex.encode(octets).utf8),
        Data(Self.path.replacing("/", with: "\\/").utf8), Data(Self.path.utf8),
      ] {
        #expect(!canaries.findings(in: around + form + around, place).isEmpty)
      }
      #expect(canaries.findings(in: around, place).isEmpty)
    }

    private static func flow(
      _ server: Server, _ pushServer: StandInPushServer, _ echo: String, _ plants: inout Plants,
      _ light: inout Light
    ) async throws {
      let added = try await server.json("stack", "add", "home")
      let (stack, hook) = (
        try #require(added["stack"]?.string), try #require(added["hookToken"]?.string)
      )
      let admin = try #require(
        try await server.json("admin-token", "add", "desk")["adminToken"]?.string)
      let unused = try await server.code(stack)
      plants.everywhere.plant(token: "hook token", hook)
      plants.everywhere.plant(token: "admin token", admin)
      plants.everywhere.plant(token: "unused pairing token", unused)
      for (name, text) in [("alert's text", alertText), ("event", eventText), ("ref", refText)] {
        plants.content.plant(name, text: text)
      }
      plants.everywhere.plant("passphrase", text: passphrase)
      plants.everywhere.plant("endpoint's path", text: path)

      // Phones whose wakes are taken, echoed with an error, and gone.
      var phones: [Registered] = []
      for (name, origin) in [("taken", pushServer.origin), ("echo", echo), ("gone", pushServer.origin)] {
        let code = try await server.code(stack)
        plants.everywhere.plant(token: "pairing token", code)
        let phone = try await server.register(stack, endpoint: "\(origin)\(path)/\(name)", code: code)
        phones.append(phone)
        plants.everywhere.plant(token: "device token", phone.token)
        for member in ["p256dh", "auth"] {
          let text = try #require(phone.companion.keys[member]?.string)
          plants.everywhere.plant(member, octets: try #require(Base64URL.decode(text)))
        }
        plants.everywhere.plant("client", text: phone.companion.client)
        // Once more with a code that is used up.
        light.add(
          "answer to a used code",
          try await server.ask(
            "POST", "/v1/stacks/\(stack)/devices", token: code,
            json: [
              "client": .string(try Companion().client), "endpoint": .string(phone.endpoint),
              "keys": phone.companion.keys,
            ]))
      }
      try await plantKeys(of: server, phones, &plants)
      _ = await pushServer.wait(for: 2)
      pushServer.answer("\(path)/gone", with: 410)

      let alert: JSONValue = [
        "kind": "problem", "event": .string(eventText), "ref": .string(refText), "moment": "onset",
        "alert": ["text": .string(alertText)],
      ]
      light.add(
        "answer to the core",
        try await server.ask("POST", "/v1/stacks/\(stack)/alerts", token: hook, json: alert))
      let messages = await pushServer.wait(for: 4)
      for message in messages where message.target.hasSuffix("taken") {
        let wake = try StrictJSON.parse(phones[0].companion.decrypt(message.body))
        let receipt = try #require(wake["w"]?.string)
        plants.everywhere.plant("receipt", text: receipt)
        light.add(
          "answer to a receipt",
          try await server.ask(
            "POST", "/v1/stacks/\(stack)/devices/\(phones[0].device)/receipts", token: phones[0].token,
            json: ["w": .string(receipt)]))
        let token = try #require(
          message.header("Authorization")?.split(separator: "t=").last?.split(separator: ",").first)
        plants.everywhere.plant("a signed token", text: String(token))
      }
      #expect(try await eventually { try await server.state(of: phones[2]) == "gone" })
      try await read(server, stack, phones, hook, &light)
      try await provoke(server, stack, phones, hook, admin, unused, &light)
      try await operate(server, stack, phones, &light)
    }

    /// The keys that never leave the service: its own, and those of the stack.
    private static func plantKeys(of server: Server, _ phones: [Registered], _ plants: inout Plants)
      async throws
    {
      let text = try server.state.text("state/service.key")
      let line = try #require(text.split(whereSeparator: \.isWhitespace).last)
      plants.everywhere.plant("service key", octets: try #require(Base64URL.decode(String(line))))
      var sources = ConfigurationSources()
      sources.add(environment: ["WAKE_STATE_DIR": server.state.path("state")])
      let store = try Configuration(sources, environment: [:], workingFolder: "/").openStore(create: false)
      let device = try #require(DeviceID(phones[0].device))
      let target = try #require(try await store.wakeTarget(device))
      plants.everywhere.plant(
        "VAPID private key", octets: target.vapidKey.privateScalar.withOctets { Array($0) })
      await store.close()
    }

    private static func read(
      _ server: Server, _ stack: String, _ phones: [Registered], _ hook: String, _ light: inout Light
    ) async throws {
      let root = "/v1/stacks/\(stack)"
      for phone in phones {
        let device = "\(root)/devices/\(phone.device)"
        for path in [root, "\(root)/alerts", "\(root)/delivery", "\(root)/doctor", device] {
          light.add("answer to GET \(path)", try await server.ask("GET", path, token: phone.token))
        }
        light.add("answer to a test", try await server.ask("POST", "\(device)/test", token: phone.token))
        light.add(
          "answer to PATCH",
          try await server.ask("PATCH", device, token: phone.token, json: ["muted": ["update"]]))
      }
      for path in [root, "\(root)/delivery", "\(root)/alerts"] {
        light.add("answer to the core's GET \(path)", try await server.ask("GET", path, token: hook))
      }
      let stream = try await StreamTests.open(stack, phones[0].token, on: server)
      light.add("answer of the stream", String(decoding: try await stream.next() ?? [], as: UTF8.self))
      stream.cancel()
      for path in ["/healthz", "/readyz", "/v1/kinds", "/v1/openapi.json"] {
        light.add("answer to \(path)", try await server.ask("GET", path, token: ""))
      }
    }

    /// Every sort of refusal, each of a request that holds a secret where it does not belong.
    private static func provoke(
      _ server: Server, _ stack: String, _ phones: [Registered], _ hook: String, _ admin: String,
      _ code: String, _ light: inout Light
    ) async throws {
      let root = "/v1/stacks/\(stack)"
      let phone = phones[0]
      let device = "\(root)/devices/\(phone.device)"
      func ask(
        _ method: String, _ path: String, _ token: String, _ body: JSONValue? = nil
      ) async throws {
        light.add(
          "answer to a refused \(method)", try await server.ask(method, path, token: token, json: body))
      }
      // The wrong token in each place, unknown paths and queries with one in them.
      for token in [phone.token + "x", hook + "A", admin, code, "Bearer \(phone.token)", "wkd_\(hook)"] {
        try await ask("GET", "\(root)/alerts", token)
        try await ask("POST", "\(root)/alerts", token, ["kind": "problem"])
        try await ask("DELETE", "\(root)/devices/\(phones[1].device)", token)
      }
      try await ask("GET", "/v1/stacks/\(phone.token)/alerts", phone.token)
      try await ask("GET", "/v1/\(hook)", hook)
      try await ask("GET", "\(root)/alerts?cursor=\(phone.token)", phone.token)
      try await ask("GET", "\(root)/alerts?limit=\(hook)", phone.token)
      try await ask("PUT", "\(root)/alerts", hook, ["kind": .string(hook)])
      // Bodies.
      for body in [
        ["kind": .string(hook)], ["kind": "problem", hook: 1], ["kind": "problem", "ref": .integer(1)],
        ["kind": "problem", "alert": .string(alertText)], ["kind": "problem", "audience": .string(hook)],
      ] as [JSONValue] { try await ask("POST", "\(root)/alerts", hook, body) }
      for endpoint in [
        "http://10.0.0.1\(path)", "https://user:\(phone.token)@push.example\(path)", path,
        "ftp://push.example\(path)", "http://[::1]:1\(path)", "\(server.address)\(path)",
        "http://\(server.address)\(path)",
      ] {
        try await ask(
          "PATCH", device, phone.token, ["endpoint": .string(endpoint), "keys": phone.companion.keys])
      }
      let auth = try #require(phone.companion.keys["auth"]?.string)
      for keys in [
        ["p256dh": .string(auth), "auth": .string(auth)],
        ["p256dh": .string(phone.token), "auth": .string(auth)],
        ["auth": .string(phone.token)],
      ] as [JSONValue] {
        try await ask("PATCH", device, phone.token, ["endpoint": .string(phone.endpoint), "keys": keys])
      }
      try await ask("POST", "\(device)/receipts", phone.token, ["w": .string(phone.token)])
      // Octets that are no JSON, too many, and no HTTP.
      let http = HTTPClient()
      let (url, bearer) = ("http://\(server.address)\(root)/alerts", [("Authorization", "Bearer \(hook)")])
      for body in [
        "{\"kind\":\"\(hook)", "{\"kind\":1,\"kind\":\"\(hook)\"}", String(repeating: hook, count: 2_000),
      ] {
        light.add(
          "answer to a malformed body",
          try await http.send(
            "POST", url, headers: bearer + [("Content-Type", "application/json")], body: Array(body.utf8)))
      }
      let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
      for head in [
        "GET /\(phone.token) HTTP/9.9\r\nAuthorization: \(phone.token)\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: \(phone.token)\r\nAuthorization: Bearer \(phone.token)\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(phone.token)\r\n\r\n",
      ] {
        let said = try await onOwnThread {
          let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
          connection.send(head)
          return try connection.octets(atMost: 65_536)
        }
        light.add("answer to a malformed head", String(decoding: said, as: UTF8.self))
      }
      let byToken = try #require(server.adminByToken)
      for token in [admin, phone.token, admin + "x"] {
        for path in ["devices", "attempts", "stacks", "push-servers", "pairings", "devices/\(phone.token)"] {
          light.add(
            "answer to the operator",
            try await http.send(
              "GET", "http://\(byToken)/v1/admin/\(path)", headers: [("Authorization", "Bearer \(token)")]))
        }
      }
    }

    /// What an operator reads and writes.
    private static func operate(
      _ server: Server, _ stack: String, _ phones: [Registered], _ light: inout Light
    ) async throws {
      let (backup, sealed) = (server.state.path("plain.backup"), server.state.path("sealed.backup"))
      try Data(passphrase.utf8).write(to: URL(fileURLWithPath: server.state.path("passphrase")))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: server.state.path("passphrase"))
      let commands = [
        ["device", "list"], ["device", "list", "--json"], ["attempts"], ["attempts", "--json"],
        ["stack", "show", stack, "--json"], ["stack", "list"], ["admin-token", "list"],
        ["device", "test", phones[0].device, "--wait", "0"],
        ["device", "test", phones[1].device, "--wait", "0"],
        ["doctor", phones[0].device, "--wait", "0"], ["doctor", phones[1].device, "--wait", "0", "--json"],
        ["doctor", "--report", server.state.path("report.json")],
        ["device", "find", phones[0].endpoint], ["device", "revoke", phones[0].token],
        ["send", "home", "problem", "--ref", refText, "--alert", #"{"text":"\#(alertText)"}"#],
        ["backup", backup], ["verify", backup],
        ["backup", sealed, "--with-key", "--passphrase-file", server.state.path("passphrase")],
        ["verify", sealed],
        ["stack", "rotate-key", stack],
      ]
      for words in commands {
        light.add("wake \(words.prefix(2).joined(separator: " "))", try await server.run(words))
      }
      for file in [backup, sealed] { #expect(FileManager.default.fileExists(atPath: file), "\(file)") }
      let metrics = try await HTTPClient().send("GET", "http://\(try #require(server.metrics))/metrics")
      #expect(metrics.status == 200)
      light.add("the metrics", metrics)
    }

    /// What the system shows of the process to others, and what a crash would leave.
    private static func lookAtProcess(_ server: Server, _ light: inout Light) async throws {
      let folder = "/proc/\(server.process.pid)"
      for name in ["cmdline", "environ", "status", "maps", "comm"] {
        light.add("\(folder)/\(name)", try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
      }
      for thread in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task") {
        let name = try? String(contentsOfFile: "\(folder)/task/\(thread)/comm", encoding: .utf8)
        light.add("a thread's name", name ?? "")
      }
      let limits = try String(contentsOfFile: "\(folder)/limits", encoding: .utf8)
      let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
      #expect(core.split(whereSeparator: \.isWhitespace).suffix(3).prefix(2) == ["0", "0"], "\(core)")
      let filter = try String(contentsOfFile: "\(folder)/coredump_filter", encoding: .utf8)
      #expect(filter.allSatisfy { $0 == "0" || $0.isWhitespace }, "\(filter)")
    }
  }
}
