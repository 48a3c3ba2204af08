import CryptoPrimitives
import StandIns
import StrictJSON
import Testing

@Suite("The contact of VAPID tokens, at the start (B12)")
struct ContactTests {
  @Test(
    "what a push server would refuse is refused at the start, with one line",
    arguments: [
      "ops@host.example", "mailto: ops@host.example", "mailto:<ops@host.example>", "mailto:ops@localhost",
      "mailto:ops@host", "mailto:ops@host.invalid", "https://host.local", "https://localhost",
      "ftp://x.example",
      "http://host.example",
    ])
  func refused(contact: String) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(["serve"], state: state, ["WAKE_CONTACT": contact]).run()
    #expect(ended.exitCode == 2)
    #expect(ended.errors.hasPrefix("wake: WAKE_CONTACT"), "\(ended.errors)")
    #expect(ended.errors.split(separator: "\n").count == 1)
  }

  @Test(
    "it is in the token without white space at its ends, and none is where none is set",
    arguments: [true, false])
  func taken(isSet: Bool) async throws {
    let pushServer = try StandInPushServer()
    var settings = ["WAKE_PUSH_ALLOW": pushServer.origin]
    if isSet { settings["WAKE_CONTACT"] = " mailto:ops@host.example\n" }
    try await Server.with(settings) { server in
      _ = try await server.phone(pushServer, stack: "home")
      let message = try #require(await pushServer.wait(for: 1).first)
      let field = try #require(message.header("Authorization"))
      let token = try #require(field.split(separator: " ").first { $0.hasPrefix("t=") })
      let parts = token.dropFirst(2).prefix { $0 != "," }.split(separator: ".")
      #expect(parts.count == 3)
      let octets = try #require(Base64URL.decode(String(parts[1])))
      let claims = try StrictJSON.parse(octets)
      #expect(claims["sub"]?.string == (isSet ? "mailto:ops@host.example" : nil))
    }
    await pushServer.stop()
  }
}
