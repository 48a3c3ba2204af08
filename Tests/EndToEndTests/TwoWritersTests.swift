import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("The command line and the server write at the same time (B24)")
struct TwoWritersTests {
  @Test(
    "50 registrations and 20 revocations in parallel, with the store held for 2 s: nothing fails, nothing is lost"
  )
  func parallel() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
      let added = try await server.json("stack", "add", "home")
      let id = try #require(added["stack"]?.string)
      let doomed = try await (0..<20).asyncMap { index in
        let reply = try await Self.register(index, on: server, stack: id, pushServer)
        #expect(reply.status == 201)
        return try #require(reply.json["device"]?.string)
      }
      let codes = try await (0..<50).asyncMap { _ in
        try #require(try await server.json("pair", "home")["code"]?.string)
      }
      let holder = try StoreHolder(server.state.path("state/wake.sqlite"))
      let release = Task {
        try? await Task.sleep(for: .seconds(2))
        holder.release()
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, code) in codes.enumerated() {
          group.addTask {
            let reply = try await Self.register(100 + index, on: server, stack: id, pushServer, code: code)
            #expect(reply.status == 201)
          }
        }
        group.addTask {
          for device in doomed {
            let ended = try await server.wake("device", "revoke", device)
            #expect(ended.exitCode == 0, "\(ended.errors)")
          }
        }
        try await group.waitForAll()
      }
      await release.value
      let devices = try await server.json("device", "list").array ?? []
      #expect(devices.count == 50)
      #expect(devices.allSatisfy { !doomed.contains($0["device"]?.string ?? "") })
    }
    await pushServer.stop()
  }

  @Test("a store that is held for longer than anybody waits is 503 with a time to come back, and exit code 3")
  func held() async throws {
    try await Server.with { server in
      let added = try await server.json("stack", "add", "home")
      let path = "/v1/stacks/\(try #require(added["stack"]?.string))"
      let token = try #require(added["hookToken"]?.string)
      let holder = try StoreHolder(server.state.path("state/wake.sqlite"))
      async let pairing = server.wake("pair", "home")
      let reply = try await server.ask("POST", "\(path)/alerts", token: token, json: ["kind": "problem"])
      #expect(reply.status == 503 && reply.json["code"] == "unavailable")
      #expect(reply.header("Retry-After").flatMap { Int($0) } != nil)
      #expect(try await server.ask("GET", "\(path)/alerts", token: token).status == 200)
      let command = try await pairing
      #expect(command.exitCode == 3 && command.errors.contains("try again"))
      holder.release()
      let again = try await server.ask("POST", "\(path)/alerts", token: token, json: ["kind": "problem"])
      #expect(again.json["id"]?.string?.hasSuffix("-1") == true)
    }
  }

  @Test(
    "a command does not open by another name what a server works on, and nothing is made beside that name")
  func otherName() async throws {
    let copy = try TemporaryFolder()
    defer { copy.remove() }
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    try FileManager.default.createDirectory(
      atPath: copy.path("state"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for name in ["wake.sqlite", "service.key"] {
      try FileManager.default.linkItem(
        atPath: state.path("state/\(name)"), toPath: copy.path("state/\(name)"))
    }
    func files() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: copy.path("state")).sorted()
    }
    try await Server.with(state) { server in
      let listed = try await Program.wake(["stack", "list"], state: copy).run()
      #expect(listed.exitCode == 4 && listed.errors.contains("hard link"), "\(listed.errors)")
      let examined = try await Program.wake(["doctor", "--json"], state: copy).run()
      #expect(try examined.exitCode == 4 && examined.json["fault"] == "store", "\(examined.output)")
      #expect(examined.output.contains("hard link") && !examined.output.contains("restore"))
      #expect(try files() == ["service.key", "wake.sqlite"])
      let own = try await server.wake("stack", "list")
      #expect(own.exitCode == 0, "the same file by its own name: \(own.errors)")
    }
    let after = try await Program.wake(["stack", "list"], state: copy).run()
    #expect(after.exitCode == 0 && after.output.contains("home"), "\(after.errors)")
  }

  private static func register(
    _ index: Int, on server: Server, stack: String, _ pushServer: StandInPushServer, code: String? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    let companion = try Companion()
    var token = code
    if token == nil { token = try await server.json("pair", "home")["code"]?.string }
    let reply = try await server.ask(
      "POST", "/v1/stacks/\(stack)/devices", token: try #require(token),
      json: [
        "client": .string(companion.client), "endpoint": .string("\(pushServer.origin)/up/\(index)"),
        "keys": companion.keys,
      ])
    return (reply.status, reply.json)
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
