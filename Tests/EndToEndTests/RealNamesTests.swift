import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

@Suite("Names that lead where no wake may go, by the machine's own resolver")
struct RealNamesTests {
  /// Counts who connects, by whatever address and family, and says so line by line.
  private static let listener = """
    import json, socket
    listener = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    listener.bind(("::", 8443))
    listener.listen(64)
    print(json.dumps({"listening": 8443}), flush=True)
    while True:
        connection, peer = listener.accept()
        print(json.dumps({"at": connection.getsockname()[0]}), flush=True)
        connection.close()
    """
  private static let python = "/usr/bin/python3"
  private static let neighbour = "10.231.77.2"
  /// Each name with the addresses that the hosts file gives it.
  private static let names: [(name: String, addresses: [String])] = [
    ("loopback.example", ["127.0.0.1"]), ("loopback6.example", ["::1"]),
    ("loopback-far.example", ["127.8.8.8"]), ("any.example", ["0.0.0.0"]),
    ("mapped.example", ["::ffff:127.0.0.1"]),
    ("own.example", [NetworkPair.serverAddress]), ("neighbour.example", [neighbour]),
    ("metadata.example", ["169.254.169.254"]), ("local6.example", ["fd00:77::1"]),
    ("both.example", ["127.0.0.1", "::1"]), ("mixed.example", ["93.184.215.14", neighbour]),
    ("mixed6.example", ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::1"]),
    ("xn--bcher-kva.example", [neighbour]),
  ]

  @Test(
    "each ends as blocked, and nobody who listens on those addresses is connected to",
    .enabled("SKIPPED: this needs root, network namespaces and ip") { await NetworkPair.missing() == nil },
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "SKIPPED: \(python) is not here"))
  func blocked() async throws {
    let network = try await NetworkPair()
    let state = try TemporaryFolder()
    do {
      try await Self.run(in: network, state)
    } catch {
      await network.remove()
      state.remove()
      throw error
    }
    await network.remove()
    state.remove()
  }

  private static func run(in network: NetworkPair, _ state: TemporaryFolder) async throws {
    try await network.atServerRun("link set lo up")
    for address in ["169.254.169.254/32", "fd00:77::1/128"] {
      try await network.atServerRun("address add \(address) dev lo")
    }
    let hosts =
      names.flatMap { entry in entry.addresses.map { "\($0) \(entry.name)" } }
      + ["\(neighbour) control.example"]
    try (hosts.joined(separator: "\n") + "\n").write(
      toFile: state.path("hosts"), atomically: true, encoding: .utf8)
    let here = try LineProcess(
      Program(path: python, arguments: ["-c", listener]).launched(by: network.atServer))
    let there = try LineProcess(
      Program(path: python, arguments: ["-c", listener]).launched(by: network.atClient))
    var server: Server?
    do {
      #expect(try await here.next()?["listening"] != nil)
      #expect(try await there.next()?["listening"] != nil)
      let mounting = "mount --bind '\(state.path("hosts"))' /etc/hosts && exec \"$@\""
      let started = try await Server(
        state,
        [
          "WAKE_LISTEN": "unix:\(state.path("public"))",
          "WAKE_PUSH_ALLOW": "https://control.example:8443",
        ],
        launcher: network.atServer + ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mounting, "sh"])
      server = started
      try await wake(started, here: here, there: there)
    } catch {
      _ = await server?.stop()
      for process in [here, there] { process.signal(SIGKILL) }
      throw error
    }
    #expect(await server?.stop() == 0)
    for process in [here, there] {
      process.signal(SIGKILL)
      _ = await process.exitCode()
    }
  }

  private static func wake(_ server: Server, here: LineProcess, there: LineProcess) async throws {
    let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
    func test(_ host: String) async throws -> JSONValue {
      let device = try await server.device(
        endpoint: "https://\(host):8443/up/secret", stack: stack, unixSocket: server.state.path("public"))
      _ = try await server.wake("device", "test", device, "--wait", "0")
      let rows = try await server.json("attempts", "--device", device).array ?? []
      return try #require(rows.first { $0["purpose"] == "test" })
    }
    for entry in names {
      let row = try await test(entry.name)
      #expect(row["outcome"] == "blocked" && row["status"] == .null, "\(row.text)")
      // It was resolved: the reason names an address of its.
      let reason = row["reason"]?.string ?? ""
      #expect(reason.contains("is not public"), "\(row.text)")
      #expect(!reason.contains("secret"))
    }
    // The first connection that anybody sees is the one of a name that the operator allows.
    #expect(try await test("control.example")["outcome"] == "network")
    #expect(try await there.next()?["at"]?.string?.hasSuffix(neighbour) == true)
    here.signal(SIGTERM)
    #expect(try await here.next() == nil)
  }
}

extension NetworkPair {
  /// Runs a command of `ip` at the server's end.
  func atServerRun(_ command: String) async throws {
    let words = command.split(separator: " ").map(String.init)
    let ended = try await Program(path: Self.ip, arguments: words).launched(by: atServer).run()
    #expect(ended.exitCode == 0, "ip \(command): \(ended.errors)")
  }
}
