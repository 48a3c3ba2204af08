import Foundation
import StandIns
import StrictJSON
import Testing

@Suite("A row that somebody broke in the store (B03)")
struct FaultyRowTests {
  @Test("twenty others are woken, it is named once a wake, and the next wake is the same")
  func faulty() async throws {
    let pushServer = try StandInPushServer()
    try await Server.with(["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "0"]) { server in
      let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
      var devices: [String] = []
      for number in 0..<21 {
        devices.append(
          try await server.device(endpoint: "\(pushServer.origin)/up/\(number)", stack: stack))
      }
      _ = await pushServer.wait(for: 21, patience: .seconds(60))
      let broken = devices[10]
      _ = try StoreReading.texts(
        """
        UPDATE subscriptions SET p256dh = x'1234'
        WHERE device = (SELECT serial FROM devices WHERE id = '\(broken)')
        """, in: server.state.path("state/wake.sqlite"))
      let wanted = Set((0..<21).map { "/up/\($0)" }).subtracting(["/up/10"])
      for round in 1...2 {
        #expect(try await server.wake("send", "home", "problem").exitCode == 0)
        let all = await pushServer.wait(for: 21 + 20 * round, patience: .seconds(60))
        #expect(Set(all.suffix(20).map(\.target)) == wanted)
        let told = try server.log().split(separator: "\n").filter { $0.contains(broken) }
        #expect(told.count == round, "\(told)")
        #expect(told.allSatisfy { $0.contains("cannot be read") && !$0.contains("/up/") })
      }
      let tested = try await server.wake("device", "test", broken, "--wait", "0")
      #expect(tested.exitCode == 1 && tested.errors.split(separator: "\n").count == 1)

      let listed = try await server.json("device", "list").array ?? []
      #expect(listed.count == 21)
      for device in listed {
        #expect(device["faulty"] == .bool(device["device"]?.string == broken))
      }
      let table = try await server.wake("device", "list").output
      #expect(table.split(separator: "\n").filter { $0.contains("faulty") }.count == 1)
    }
    await pushServer.stop()
  }
}
