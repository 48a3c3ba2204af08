import Foundation
import StandIns
import StrictJSON
import Testing

@Suite("wake companion and a real service over time")
struct CompanionFollowingTests {
  /// Runs `body` with a service that has one stack, `home`, and a companion that is paired with it; the service listens at
  /// the same address when it is started again.
  private static func paired(
    _ body: (_ folder: TemporaryFolder, _ server: ServerInPlace) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let place = try await ServerInPlace(folder, Server.wakingLoopback)
    do {
      _ = try await place.server.json("stack", "add", "home")
      let pair = try await Program.companion(folder, "pair", place.server.link("home")).run()
      #expect(try pair.exitCode == 0 && pair.json["wakeCame"] == true, "\(pair.errors)")
      try await body(folder, place)
    } catch {
      _ = await place.server.stop()
      throw error
    }
    #expect(await place.server.stop() == 0)
  }

  /// Raises alerts; their ids.
  private static func raise(_ count: Int, _ server: Server) async throws -> [String] {
    var ids: [String] = []
    for _ in 0..<count {
      ids.append(try #require(try await server.json("send", "home", "problem")["id"]?.string))
    }
    return ids
  }

  private static func device(_ server: Server) async throws -> JSONValue {
    try #require(try await server.json("device", "list").array?.first)
  }

  @Test("it follows through a restart and a kill of the service, and shows every alert once and in order")
  func restarts() async throws {
    try await Self.paired { folder, place in
      var (raised, shown): ([String], [String]) = ([], [])
      let process = try LineProcess(.companion(folder, "run", "--follow"))
      do {
        _ = try await process.note("following")
        for signal in [SIGTERM, SIGKILL, SIGTERM] {
          raised += try await Self.raise(5, place.server)
          try await place.startAgain(after: signal)
          raised += try await Self.raise(5, place.server)
          while shown.last != raised.last {
            shown.append(try await process.note("alert")["id"]?.string ?? "")
          }
        }
        process.signal(SIGTERM)
        while let line = try await process.next() {
          if line["what"] == "alert" { shown.append(line["id"]?.string ?? "") }
        }
      } catch {
        process.signal(SIGKILL)
        _ = await process.exitCode()
        throw error
      }
      #expect(await process.exitCode() == 0)
      #expect(shown == raised)
    }
  }

  @Test("receipts make a device confirmed, and the operator's test says that the phone confirmed it")
  func confirmed() async throws {
    try await Self.paired { folder, place in
      let listed = try await Self.device(place.server)
      #expect(listed["state"] == "confirmed" && listed["lastReceipt"]?.string != nil)
      let device = try #require(listed["device"]?.string)
      try await LineProcess.companion(folder) { process in
        let test = try await place.server.wake("device", "test", device, "--wait", "60")
        #expect(test.exitCode == 0 && test.output.contains("the phone confirmed it at"), "\(test)")
        #expect(try await process.note("read")["label"] == "home")
      }
      // Nobody listens now.
      let test = try await place.server.wake("device", "test", device, "--wait", "0")
      #expect(test.exitCode == 1 && !test.output.contains("confirmed"))
      #expect(try await Self.device(place.server)["state"] == "undelivered")
    }
  }

  @Test("--test asks for the phone's own test wake, says how long it took, and --once ends then")
  func ownTest() async throws {
    try await Self.paired { folder, place in
      let before = try await Self.device(place.server)["lastReceipt"]?.string
      let tried = try await Program.companion(folder, "run", "--test", "--once", "--timeout", "60").run()
      #expect(tried.exitCode == 0, "\(tried)")
      let lines = try tried.output.split(separator: "\n").map { try StrictJSON.parse(Array($0.utf8)) }
      #expect(lines.map { $0["what"]?.string } == ["ready", "tested", "read"])
      #expect(lines[1]["milliseconds"]?.integer ?? -1 >= 0 && lines[1]["label"] == "home")
      let after = try await Self.device(place.server)
      #expect(after["state"] == "confirmed" && after["lastReceipt"]?.string ?? "" > before ?? "")
      let rows = try await place.server.json("attempts").array ?? []
      #expect(rows.first?["purpose"] == "test" && rows.first?["receiptAt"] == after["lastReceipt"])

      let link = try await place.server.link("home")
      let again = try await Program.companion(folder, "pair", link, "--no-push").run()
      #expect(try again.exitCode == 0 && again.json["state"] == "no-push", "\(again.errors)")
      #expect(try await Self.device(place.server)["pushServer"] == .null)
      let none = try await Program.companion(folder, "run", "--test", "--once", "--timeout", "1").run()
      #expect(none.exitCode == 1 && none.output.contains("answered 422, invalid-field"), "\(none)")
    }
  }

  @Test("a device that is revoked while it follows is told so, and the run ends")
  func revoked() async throws {
    try await Self.paired { folder, place in
      let process = try LineProcess(.companion(folder, "run", "--follow"))
      do {
        _ = try await process.note("following")
        let device = try #require(try await Self.device(place.server)["device"]?.string)
        _ = try await place.server.json("device", "revoke", device)
        #expect(try await process.note("ended")["label"] == "home")
      } catch {
        process.signal(SIGKILL)
        _ = await process.exitCode()
        throw error
      }
      #expect(await process.exitCode() == 1)
      let status = try await Program.companion(folder, "status").run().json
      #expect(status.array?.first?["paired"] == false)
    }
  }

  @Test("a new VAPID key in the stream's hello renews the subscription, and wakes come to it")
  func rotation() async throws {
    try await Self.paired { folder, place in
      try await LineProcess.companion(folder, follows: true) { process in
        _ = try await process.note("following")
        _ = try await place.server.json("stack", "rotate-key", "home")
        try await place.startAgain(after: SIGTERM)
        #expect(try await process.note("renewed")["label"] == "home")
        // The activation wake of the new subscription.
        _ = try await process.note("read")
        let keys = try await place.server.json("stack", "rotate-key", "home", "--status")
        #expect(keys["devicesOnOldKeys"] == 0)
        #expect(keys["keys"]?.array?.map { $0["devices"] } == [1, 0])
        #expect(try await Self.device(place.server)["state"] == "confirmed")
      }
      #expect(try await Program.companion(folder, "status").run().json.array?.count == 1)
    }
  }

  @Test("two services in one file are never mixed up, and the end of one does not disturb the other")
  func twoServices() async throws {
    try await Self.paired { folder, home in
      try await Server.with(Server.wakingLoopback) { cabin in
        _ = try await cabin.json("stack", "add", "cabin")
        let pair = try await Program.companion(folder, "pair", cabin.link("cabin")).run()
        #expect(pair.exitCode == 0, "\(pair.errors)")
        let status = try await Program.companion(folder, "status").run().json.array ?? []
        #expect(status.map { $0["label"] } == ["home", "cabin"])
        let stacks = status.compactMap { $0["stack"]?.string }
        try await LineProcess.companion(folder, follows: true) { process in
          func alert(_ server: Server, _ label: String, _ stack: String) async throws {
            let id = try #require(try await server.json("send", label, "update")["id"]?.string)
            let alert = try await process.note("alert")
            #expect(alert["label"]?.string == label && alert["id"]?.string == id)
            #expect(alert["notification"]?.string == "\(stack):\(id)")
          }
          let following = [try await process.note("following"), try await process.note("following")]
          #expect(Set(following.map { $0["label"]?.string }) == ["home", "cabin"])
          try await alert(home.server, "home", stacks[0])
          try await alert(cabin, "cabin", stacks[1])
          try await home.startAgain(after: SIGKILL) {
            #expect(try await process.note("trouble")["label"] == "home")
            try await alert(cabin, "cabin", stacks[1])
          }
          try await alert(cabin, "cabin", stacks[1])
          try await alert(home.server, "home", stacks[0])
        }
      }
    }
  }

  @Test("equal kinds have one version on two services; a change on one is read anew, and there alone")
  func kinds() async throws {
    try await Self.paired { folder, home in
      try await Server.with(Server.wakingLoopback) { cabin in
        _ = try await cabin.json("stack", "add", "cabin")
        #expect(try await Program.companion(folder, "pair", cabin.link("cabin")).run().exitCode == 0)
        func kept(_ member: String) throws -> [JSONValue] {
          let state = try StrictJSON.parse(Array(try folder.text("companion.json").utf8))
          return state["stacks"]?.array?.map { $0[member] ?? .null } ?? []
        }
        let versions = try kept("catalogueVersion")
        #expect(versions.count == 2 && versions[0] == versions[1] && versions[0].string?.count == 8)
        try await LineProcess.companion(folder) { process in
          let changed = try await home.server.json("stack", "kinds", "home", "problem,backup")
          _ = try await home.server.json("send", "home", "backup")
          let note = try await process.note("kinds")
          #expect(note["label"] == "home" && note["kinds"] == ["problem", "backup"])
          _ = try await process.note("read")
          #expect(try kept("catalogueVersion") == [changed["catalogueVersion"], versions[1]])
          #expect(try kept("kinds")[0] == ["problem", "backup"])
          // The same list again on the other one: the same version, and its own reading.
          _ = try await cabin.json("stack", "kinds", "cabin", "problem,backup")
          _ = try await cabin.json("send", "cabin", "problem")
          #expect(try await process.note("kinds")["label"] == "cabin")
          _ = try await process.note("read")
          #expect(try kept("catalogueVersion") == [changed["catalogueVersion"], changed["catalogueVersion"]])
        }
      }
    }
  }
}
