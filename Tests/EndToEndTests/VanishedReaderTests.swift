import Foundation
import Glibc
import StandIns
import StrictJSON
import Testing

@Suite("A reader that has vanished")
struct VanishedReaderTests {
  private static let curl = "/usr/bin/curl"

  @Test(
    "one that is gone without a word costs nothing after half a minute",
    .enabled("SKIPPED: this needs root, network namespaces and ip") { await NetworkPair.missing() == nil },
    arguments: [false, true])
  func vanished(byTLS: Bool) async throws {
    let network = try await NetworkPair()
    let state = try TemporaryFolder()
    do {
      try await Self.vanish(byTLS, in: network, state)
    } catch {
      await network.remove()
      state.remove()
      throw error
    }
    await network.remove()
    state.remove()
  }

  private static func vanish(_ byTLS: Bool, in network: NetworkPair, _ state: TemporaryFolder) async throws {
    let settings = [
      "WAKE_PUBLIC_URL": "\(byTLS ? "https" : "http")://\(NetworkPair.serverAddress)",
      "WAKE_LISTEN": "\(NetworkPair.serverAddress):0",
    ]
    if byTLS {
      #expect(try await Program.wake(["tls", "init"], state: state, settings).run().exitCode == 0)
    }
    let server = try await Server(state, settings, launcher: network.atServer)
    let streams = Streams()
    do {
      try await open(streams, on: server, in: network, byTLS)
    } catch {
      await streams.end()
      _ = await server.stop()
      throw error
    }
    await streams.end()
    #expect(await server.stop() == 0)
  }

  private static func open(
    _ streams: Streams, on server: Server, in network: NetworkPair, _ byTLS: Bool
  ) async throws {
    let stack = try await StreamTests.stack(on: server)
    let root = "\(byTLS ? "https" : "http")://\(server.address)/v1/stacks/\(stack.id)"
    func curl(_ arguments: String...) -> Program {
      Program(path: Self.curl, arguments: ["--silent", "--insecure", "--no-buffer"] + arguments)
        .launched(by: network.atClient)
    }
    let code = try #require(try await server.json("pair", stack.id)["code"]?.string)
    let body = JSONValue.object(["client": .string(try Companion().client)]).serialized()
    let paired = try await curl(
      "--header", "Authorization: Bearer \(code)", "--header", "Content-Type: application/json",
      "--data", String(decoding: body, as: UTF8.self), "\(root)/devices"
    ).run()
    let token = try #require(try paired.json["token"]?.string, "\(paired.output)")
    let own = try await server.settledSockets()
    for number in 1...4 {
      let output = try server.state.newFile("stream-\(number)")
      await streams.add(
        try Child(
          curl("--header", "Authorization: Bearer \(token)", "\(root)/events"),
          input: FileHandle.nullDevice.fileDescriptor, output: output.fileDescriptor,
          errors: FileHandle.nullDevice.fileDescriptor))
    }
    let end = ContinuousClock.now + .seconds(20)
    for number in 1...4 {
      while try !server.state.text("stream-\(number)").contains("event: hello") {
        try #require(ContinuousClock.now < end)
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    #expect(try server.sockets() == own + 4)
    try await network.cut()
    // Three heartbeats without an answer, and the look at whom that concerns, which comes once a second.
    #expect(try await server.reaches(sockets: own, within: .seconds(60)))
  }
}

/// The clients of a test, which are ended with it.
private actor Streams {
  private var children: [Child] = []

  func add(_ child: Child) { children.append(child) }

  func end() async {
    for child in children {
      child.signal(SIGKILL)
      _ = await child.exitCode()
    }
  }
}
