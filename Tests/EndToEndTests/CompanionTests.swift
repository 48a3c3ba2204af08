import CryptoPrimitives
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import TestSupport
import Testing
import WakeServer
import WebPushCrypto

@Suite("wake companion with a real service")
struct CompanionTests {
  private static let stack = "stack-of-the-tests"

  /// What registers a companion without push and streams a thousand alerts after its cursor; the feed goes on then.
  private static func endlessStream(_ feed: RawFeed) throws -> RawServer {
    try RawServer { request in
      switch (request.method, request.target) {
      case ("POST", "/v1/stacks/\(stack)/devices"):
        return .status(201, body: #"{"device":"d","token":"wkd_d","cursor":"epoch-0","state":"no-push"}"#)
      case ("GET", "/v1/stacks/\(stack)"):
        return .status(200, body: #"{"label":"home","kinds":["problem"],"catalogueVersion":"1"}"#)
      case ("GET", "/v1/stacks/\(stack)/events"):
        let last = request.header("Last-Event-ID")?.split(separator: "-").last.flatMap { Int($0) } ?? 0
        var text = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: hello\ndata: {}\n\n"
        for number in last + 1...last + 1_000 {
          text += "id: epoch-\(number)\nevent: alert\n"
          text += #"data: {"id":"epoch-\#(number)","at":"2026-01-02T03:04:05Z","kind":"problem"}"# + "\n\n"
        }
        return RawAnswer(text, then: .feed(feed))
      default: return .status(404)
      }
    }
  }

  /// A link to a server that takes any code.
  private static func link(to server: RawServer) throws -> String {
    let key = Base64URL.encode(try P256PrivateKey.generate().publicKey.uncompressed)
    let code = "wkp_" + Base64URL.encode([UInt8](repeating: 1, count: 32))
    return "wake://pair?url=http://127.0.0.1:\(server.port)&stack=\(stack)&key=\(key)&code=\(code)&expires=1"
  }

  @Test("over TLS with the pin of wake tls init: pairs, is woken, shows the alert, and says no secret")
  func pinned() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await Program.wake(["tls", "init"], state: folder).run().exitCode == 0)
    try await Server.with(folder, Server.wakingLoopback) { server in
      _ = try await server.json("stack", "add", "home")
      let link = try await server.link("home", https: true)
      #expect(link.contains("fingerprint="))
      let paired = try await Program.companion(folder, "pair", "-").run(input: link + "\n")
      #expect(paired.exitCode == 0, "\(paired.errors)")
      #expect(try paired.json["wakeCame"] == true && paired.json["label"] == "home")
      #expect(try paired.json["state"] == "confirmed", "its receipt has been handed back")

      try await LineProcess.companion(folder) { process in
        let raised = try await server.json("send", "home", "problem", "--event", "disk.bad")
        let alert = try await process.note("alert")
        #expect(alert["id"] == raised["id"] && alert["kind"] == "problem" && alert["event"] == "disk.bad")
        let id = raised["id"]?.string ?? ""
        #expect(alert["notification"]?.string == "\(alert["stack"]?.string ?? ""):\(id)")
        // That the alert was not shown by the first read of all is for chance to say.
        #expect(try await process.note("read")["label"] == "home")
      }
      let status = try await Program.companion(folder, "status").run()
      #expect(try status.json.array?.first?["paired"] == true && status.exitCode == 0)
      let state = try StrictJSON.parse(Array(try folder.text("companion.json").utf8))
      let stack = try #require(state["stacks"]?.array?.first)
      let subscription = try #require(stack["subscriptions"]?.array?.first)
      for secret in [
        stack["token"], subscription["endpoint"], subscription["privateKey"], subscription["auth"],
        state["client"],
      ] {
        let text = try #require(secret?.string)
        for ended in [paired, status] {
          #expect(!ended.output.contains(text) && !ended.errors.contains(text))
        }
      }
    }
  }

  @Test("with a wrong pin nothing is sent: the code is good afterwards")
  func wrongPin() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    #expect(try await Program.wake(["tls", "init"], state: folder).run().exitCode == 0)
    try await Server.with(folder, Server.wakingLoopback) { server in
      _ = try await server.json("stack", "add", "home")
      let link = try await server.link("home", https: true)
      let fingerprint = try #require(PairingLink(link)?.fingerprint)
      let other = String(fingerprint.reversed())
      let refused = try await Program.companion(
        folder, "pair", link.replacingOccurrences(of: fingerprint, with: other)
      ).run()
      #expect(refused.exitCode == 3 && refused.output.isEmpty, "\(refused.errors)")
      #expect(refused.errors.split(separator: "\n").count == 1 && !refused.errors.contains("wkp_"))
      #expect(try await server.json("device", "list") == [])
      // No pin at all does not help either: nobody vouches for the certificate.
      let bare = link.replacingOccurrences(of: "&fingerprint=\(fingerprint)", with: "")
      #expect(try await Program.companion(folder, "pair", bare).run().exitCode == 3)
      #expect(try await Program.companion(folder, "pair", link).run().exitCode == 0)
      #expect(try await server.json("device", "list").array?.count == 1)
    }
  }

  @Test("one companion listens to two services")
  func twoServices() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with(Server.wakingLoopback) { one in
      try await Server.with(Server.wakingLoopback) { other in
        for (server, label) in [(one, "home"), (other, "cabin")] {
          _ = try await server.json("stack", "add", label)
          let link = try await server.link(label)
          let paired = try await Program.companion(folder, "pair", link).run()
          #expect(paired.exitCode == 0, "\(paired.errors)")
          #expect(try paired.json["wakeCame"] == true)
        }
        try await LineProcess.companion(folder) { process in
          for (server, label) in [(one, "home"), (other, "cabin"), (one, "home")] {
            _ = try await server.json("send", label, "update")
            #expect(try await process.note("alert")["label"]?.string == label)
          }
        }
      }
    }
  }

  @Test("garbage and a wake of an unknown stack are ignored, and the next wake is not")
  func garbage() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with(Server.wakingLoopback) { server in
      _ = try await server.json("stack", "add", "home")
      #expect(try await Program.companion(folder, "pair", server.link("home")).run().exitCode == 0)
      let state = try StrictJSON.parse(Array(try folder.text("companion.json").utf8))
      let subscription = try #require(state["stacks"]?.array?.first?["subscriptions"]?.array?.first)
      let endpoint = try #require(subscription["endpoint"]?.string)
      let scalar = try #require(subscription["privateKey"]?.string.flatMap(Base64URL.decode))
      let auth = try #require(subscription["auth"]?.string.flatMap(Base64URL.decode))
      let keys = try UserAgentKeys(uaPublic: P256PrivateKey(scalar: scalar).publicKey, authSecret: auth)
      let stray = try WebPushMessage.encrypt(
        Array(#"{"v":1,"s":"a-stack-of-nobody","mv":"00000000","w":"x"}"#.utf8), for: keys, bodyLength: 256)
      try await LineProcess.companion(folder) { process in
        for (body, what) in [([1, 2, 3], "undecryptable"), (stray, "unknown-stack")] {
          #expect(try await HTTPClient().send("POST", endpoint, body: body).status == 201)
          #expect(try await process.note(what)["count"] == 1)
        }
        _ = try await server.json("send", "home", "backup")
        #expect(try await process.note("alert")["kind"] == "backup")
      }
    }
  }

  @Test("a companion that is killed at any time finds a whole file, and misses no alert")
  func killed() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with(Server.wakingLoopback) { server in
      _ = try await server.json("stack", "add", "home")
      #expect(try await Program.companion(folder, "pair", server.link("home")).run().exitCode == 0)
      var (raised, shown): ([String], Set<String>) = ([], [])
      for round in 0..<6 {
        for _ in 0..<2 {
          raised.append(try #require(try await server.json("send", "home", "update")["id"]?.string))
        }
        // Reading at the start shows and saves; the end comes a little later each time.
        let process = try LineProcess(Program.companion(folder, "run"))
        while let line = try await process.next() {
          guard line["what"] == "alert", let id = line["id"]?.string else { continue }
          shown.insert(id)
          if id == raised.last { break }
        }
        try await Task.sleep(for: .microseconds(round * 500))
        process.signal(SIGKILL)
        #expect(await process.exitCode() == -SIGKILL)
        let status = try await Program.companion(folder, "status").run()
        #expect(status.exitCode == 0, "\(status.errors)")
        let cursor = try #require(try status.json.array?.first?["cursor"]?.string)
        #expect(cursor.hasSuffix("-0") || raised.contains(cursor))
      }
      #expect(shown == Set(raised))
      // What was shown and kept is not shown again.
      #expect(try await Program.companion(folder, "run", "--timeout", "1").run().exitCode == 0)
      let again = try await Program.companion(folder, "run", "--timeout", "1").run()
      #expect(again.exitCode == 0 && !again.output.contains("\"alert\""), "\(again.output)")
    }
  }

  @Test("killed while it saves after every alert of a stream, it goes on from what it showed last")
  func killedWhileSaving() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let server = try Self.endlessStream(RawFeed())
    defer { server.stop() }
    let paired = try await Program.companion(folder, "pair", Self.link(to: server), "--no-push").run()
    #expect(paired.exitCode == 0, "\(paired.errors)")
    func number(_ id: JSONValue?) -> Int { id?.string?.split(separator: "-").last.flatMap { Int($0) } ?? -1 }
    var cursor = 0
    for round in 0..<20 {
      let process = try LineProcess(Program.companion(folder, "run", "--follow"))
      var shown: [Int] = []
      while shown.count <= round, let line = try await process.next() {
        if line["what"] == "alert" { shown.append(number(line["id"])) }
      }
      process.signal(SIGKILL)
      #expect(await process.exitCode() == -SIGKILL)
      #expect(shown == Array(cursor + 1...cursor + 1 + round))
      let status = try await Program.companion(folder, "status").run()
      #expect(status.exitCode == 0, "\(status.errors)")
      cursor = number(try status.json.array?.first?["cursor"])
      // It may have gone on before the signal came, and may have shown one that it could not keep.
      #expect(cursor >= (shown.last ?? 0) - 1)
    }
  }

  @Test("--once ends with the first wake, and fails where none comes in time")
  func once() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with(Server.wakingLoopback) { server in
      _ = try await server.json("stack", "add", "home")
      let link = try await server.link("home")
      let paired = try await Program.companion(folder, "pair", link).run()
      #expect(paired.exitCode == 0)
      let late = try await Program.companion(folder, "run", "--once", "--timeout", "1").run()
      #expect(late.exitCode == 1 && late.errors.contains("nothing came"))
      let process = try LineProcess(Program.companion(folder, "run", "--once", "--timeout", "60"))
      #expect(try await process.next()?["what"] == "ready")
      _ = try await server.json("send", "home", "update")
      #expect(await process.exitCode() == 0)

      let again = try await Program.companion(folder, "pair", link).run()
      #expect(again.exitCode == 0, "the same client may use its code again: \(again.errors)")
      _ = try await server.json("device", "revoke", try #require(try paired.json["device"]?.string))
      let over = try await Program.companion(folder, "run").run()
      #expect(over.exitCode == 1 && over.errors.contains("pair again") && over.output.contains("\"ended\""))
      #expect(try await Program.companion(folder, "status").run().json.array?.first?["paired"] == false)
    }
  }

  @Test("a service that may not wake loopback refuses the endpoint, and the line says what to do")
  func notAllowed() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try await Server.with { server in
      _ = try await server.json("stack", "add", "home")
      let refused = try await Program.companion(folder, "pair", server.link("home")).run()
      let state = try StrictJSON.parse(Array(try folder.text("companion.json").utf8))
      let listen = try #require(state["listen"]?.string)
      #expect(refused.exitCode == 1 && refused.output.isEmpty)
      #expect(refused.errors.contains("must name http://\(listen)\n"), "\(refused.errors)")
    }
  }

  @Test("--follow shows what the stream says, and --once ends with the first alert")
  func follow() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let feed = RawFeed()
    let server = try Self.endlessStream(feed)
    defer { server.stop() }
    let paired = try await Program.companion(folder, "pair", Self.link(to: server), "--no-push").run()
    #expect(paired.exitCode == 0, "\(paired.errors)")
    let ended = try await Program.companion(folder, "run", "--follow", "--once", "--timeout", "60").run()
    #expect(ended.exitCode == 0, "\(ended.errors)")
    let lines = try ended.output.split(separator: "\n").map { try StrictJSON.parse(Array($0.utf8)) }
    #expect(lines.map { $0["what"]?.string } == ["ready", "following", "alert"])
    #expect(lines.last?["notification"]?.string == "\(Self.stack):epoch-1")
    await feed.over()
    let status = try await Program.companion(folder, "status").run().json
    #expect(status.array?.first?["cursor"] == "epoch-1")
  }

  @Test("wrong usage is 2, what is not there 3, what cannot be used 4")
  func exitCodes() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    func wake(_ arguments: String...) async throws -> Ended {
      let ended = try await Program.wake(["companion"] + arguments, state: folder).run()
      #expect(ended.output.isEmpty && ended.errors.split(separator: "\n").count == 1, "\(ended)")
      return ended
    }
    let key = Base64URL.encode(try P256PrivateKey.generate().publicKey.uncompressed)
    let code = "wkp_" + Base64URL.encode([UInt8](repeating: 1, count: 32))
    let link = "wake://pair?url=http://127.0.0.1:1&stack=stack-of-nobody&key=\(key)&code=\(code)&expires=1"
    let state = folder.path("c.json")
    #expect(try await wake("run").exitCode == 2)
    #expect(try await wake("pair", "https://example.com", "--state", state).exitCode == 2)
    #expect(
      try await wake("pair", link, "--state", state, "--no-push", "--listen", "127.0.0.1:0").exitCode == 2)
    #expect(try await wake("pair", link, "--state", state, "--ntfy", "https://ntfy.example").exitCode == 2)
    #expect(try await wake("run", "--state", state, "--timeout", "0").exitCode == 2)
    #expect(try await wake("run", "--state", state).exitCode == 3)
    #expect(try await wake("status", "--state", state).exitCode == 3)
    // Nobody listens there; the companion is kept for the next attempt.
    let unreachable = try await wake("pair", link, "--state", state)
    #expect(unreachable.exitCode == 3 && !unreachable.errors.contains(code))
    #expect(FileManager.default.fileExists(atPath: state))
    try Data("{".utf8).write(to: URL(fileURLWithPath: state))
    #expect(try await wake("status", "--state", state).exitCode == 4)
    #expect(try await wake("run", "--state", state).exitCode == 4)
  }
}
