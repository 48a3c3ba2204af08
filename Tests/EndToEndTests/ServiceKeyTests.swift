import Foundation
import StrictJSON
import Testing

@Suite("wake service-key")
struct ServiceKeyTests {
  @Test("a running server goes on over a rotation, commands use the new key, and so does the next start")
  func rotate() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let server = try await Server(state)
    _ = try await server.json("stack", "add", "home")
    _ = try await server.json("send", "home", "problem", "--ref", "one", "--moment", "onset")
    let before = try state.text("state/service.key")
    let rotated = try await server.json("service-key", "rotate")
    #expect(rotated["serviceKey"]?.string == state.path("state/service.key") && rotated["exchange"] == false)
    #expect(try state.text("state/service.key") != before)
    let id = try await server.json("send", "home", "problem")["id"]?.string
    #expect(id?.hasSuffix("-2") == true)
    #expect(try await server.json("stack", "list").array?.count == 1)
    #expect(await server.stop() == 0)
    let again = try await Server(state)
    #expect(try await again.json("stack", "list").array?.count == 1)
    #expect(await again.stop() == 0)
  }

  @Test("a key that a command prints is exchanged by hand: the store hangs on the new one from then on")
  func command() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let (one, two) = (state.path("one.key"), state.path("two.key"))
    for file in [one, two] {
      #expect(try await Program.wake(["service-key", "new", file], state: state).run().exitCode == 0)
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
    }
    #expect(try await Program.wake(["service-key", "new", one], state: state).run().exitCode == 4)
    let old = ["WAKE_SERVICE_KEY_COMMAND": "cat \(one)"]
    let new = ["WAKE_SERVICE_KEY_COMMAND": "cat \(two)"]
    #expect(try await Program.wake(["stack", "add", "home"], state: state, old).run().exitCode == 0)
    #expect(try await Program.wake(["service-key", "rotate"], state: state, old).run().exitCode == 2)
    let rotated = try await Program.wake(
      ["service-key", "rotate", "--new-key-file", two], state: state, old
    ).run()
    #expect(rotated.exitCode == 0 && rotated.output.contains("before the next start"))
    #expect(try await Program.wake(["stack", "list"], state: state, old).run().exitCode == 4)
    #expect(try await Program.wake(["stack", "list"], state: state, new).run().exitCode == 0)
  }
}
