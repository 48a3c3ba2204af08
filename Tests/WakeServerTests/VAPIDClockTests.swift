import CryptoPrimitives
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("VAPID tokens under a clock that is wrong, or jumps (B11)")
struct VAPIDClockTests {
  private static let hour: Int64 = 3_600

  /// The `exp` of the token of each message, oldest first; it must be an integer.
  private func expiries(_ service: TestService) throws -> [Int64] {
    try service.pushServer.messages.map { message in
      let field = try #require(message.header("Authorization"))
      let token = try #require(field.split(separator: " ").first { $0.hasPrefix("t=") })
      let parts = token.dropFirst(2).prefix { $0 != "," }.split(separator: ".")
      #expect(parts.count == 3)
      let octets = try #require(Base64URL.decode(String(parts[1])))
      let claims = try StrictJSON.parse(octets)
      return try #require(claims["exp"]?.integer)
    }
  }

  @Test("a token ends between one and twelve hours ahead, so that ten minutes of skew are nobody's fault")
  func skew() async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall) { service in
      _ = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      let ahead = try #require(try expiries(service).first) - clock.now / 1_000
      for skew in [-600, 0, 600] as [Int64] { #expect((0...24 * Self.hour).contains(ahead - skew)) }
      #expect((Self.hour...12 * Self.hour).contains(ahead))
    }
  }

  @Test(
    "a token is used again, and never after the clock has jumped", arguments: [13, 25, -13, -25] as [Int64])
  func jump(hours: Int64) async throws {
    let clock = TestClock()
    try await TestService.with(clock: clock.wall, ttl: 2_419_200) { service in
      let phone = try await service.phone()
      _ = await service.pushServer.wait(for: 1)
      func test() async throws {
        let path = "/v1/admin/devices/\(phone.device)/test"
        let reply = try await service.send("POST", path, json: [:], door: .admin)
        #expect(reply.json["outcome"] == "accepted")
      }
      try await test()
      clock.now += hours * Self.hour * 1_000
      try await test()
      let found = try expiries(service)
      #expect(found.count == 3 && found[0] == found[1] && found[2] != found[1])
      let ahead = found[2] - clock.now / 1_000
      #expect((Self.hour...12 * Self.hour).contains(ahead))
    }
  }
}
