import CryptoPrimitives
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

extension Reliability {
  @Suite("A clock that is set while the server runs")
  struct ClockTests {
    private static let day: Int64 = 86_400
    /// Seconds: a day and ten years, forward and back, and a small correction.
    static let steps = Scale.of(
      full: [day, -day, 3_652 * day, -3_652 * day, 90], small: [-day, 3_652 * day])
    private static let window = 2

    @Test(
      "forward or back, by a day or ten years: no wake is missed, tokens are of the new time, and nothing is swept",
      .enabled(Comment(rawValue: SettableClock.absent)) { await SettableClock.isHere }, arguments: steps)
    func step(seconds: Int64) async throws {
      let pushServer = try StandInPushServer()
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      let clock = try await SettableClock(in: state)
      let settings = ["WAKE_PUSH_ALLOW": pushServer.origin, "WAKE_WINDOW": "\(Self.window)"]
      try await Server.with(state, settings, launcher: memory.launcher + clock.launcher) { server in
        try await Self.step(seconds, clock, server, pushServer)
        try memory.expectKept(by: server, during: "a clock set by \(seconds) s")
      }
      await pushServer.stop()
    }

    private static func step(
      _ seconds: Int64, _ clock: SettableClock, _ server: Server, _ pushServer: StandInPushServer
    ) async throws {
      let added = try await server.json("stack", "add", "home")
      let (stack, hook) = (
        try #require(added["stack"]?.string), try #require(added["hookToken"]?.string)
      )
      _ = try await server.register(stack, endpoint: "\(pushServer.origin)/up/phone")
      let gone = try await server.register(stack, endpoint: "\(pushServer.origin)/up/gone")
      _ = await pushServer.wait(for: 2)
      pushServer.answer("/up/gone", with: 410)
      // The first opens the window of the phone, the second waits for its end, and the clock is set meanwhile.
      _ = try await server.raise(stack, hook)
      _ = await pushServer.wait(for: 4)
      #expect(try await eventually { try await server.state(of: gone) == "gone" })
      let before = try rows(server)
      _ = try await server.raise(stack, hook)
      try clock.set(to: seconds)
      let messages = try await arrived(at: pushServer, count: 5)
      #expect(messages.count == 5, "the wake that waited for the window's end is missed")
      try expectValid(messages.last, at: seconds)

      // And those that come under the new time, in its first minute and in the next window.
      for count in 6...7 {
        _ = try await server.raise(stack, hook)
        let now = try await arrived(at: pushServer, count: count)
        #expect(now.count == count, "a wake is missed under the new time")
        try expectValid(now.last, at: seconds)
      }
      // And back, as a correction would have it.
      _ = try await server.raise(stack, hook)
      try clock.set(to: 0)
      let back = try await arrived(at: pushServer, count: 8)
      #expect(back.count == 8, "the wake that waited when the clock was set right is missed")
      try expectValid(back.last, at: 0)
      let after = try rows(server)
      #expect(before.isSubset(of: after), "swept: \(before.subtracting(after))")
      Figures.note("clock set by \(seconds) s", "0 wakes missed, 0 rows swept")
    }

    /// What has come once `count` messages are there, or long after they should be.
    private static func arrived(
      at pushServer: StandInPushServer, count: Int
    ) async throws -> [StandInPushServer.Message] {
      await pushServer.wait(for: count, patience: .seconds(20))
    }

    /// Everything that a sweep could take away.
    private static func rows(_ server: Server) throws -> Set<String> {
      Set(
        try StoreReading.texts(
          """
          SELECT 'alert ' || number FROM alerts UNION ALL SELECT 'device ' || id FROM devices
          UNION ALL SELECT 'attempt ' || id FROM attempts UNION ALL SELECT 'pairing ' || hex(digest) FROM pairings
          UNION ALL SELECT 'token ' || hex(digest) FROM device_tokens UNION ALL SELECT 'key ' || serial FROM vapid_keys
          """, in: server.state.path("state/wake.sqlite")))
    }

    /// The token of a message is for now, as the server's clock has it, and for no more than a day (RFC 8292 §2).
    private static func expectValid(_ message: StandInPushServer.Message?, at offset: Int64) throws {
      let field = try #require(message?.header("Authorization"))
      let token = try #require(field.split(separator: "t=").last?.split(separator: ",").first)
      let parts = token.split(separator: ".")
      let claims = try StrictJSON.parse(try #require(Base64URL.decode(String(parts[1]))))
      let expires = try #require(claims["exp"]?.integer)
      let now = Int64(Date().timeIntervalSince1970) + offset
      #expect(expires > now + 1 && expires <= now + day + 1, "\(expires - now) s ahead")
    }
  }
}

extension Server {
  /// What the service says of a phone's state.
  func state(of phone: Registered) async throws -> String? {
    try await ask("GET", "/v1/stacks/\(phone.stack)/devices/\(phone.device)", token: phone.token).json[
      "state"]?
      .string
  }
}
