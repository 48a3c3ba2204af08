import Foundation
import PushDelivery
import Synchronization
import TestSupport
import Testing

@Suite("The sender: where it does not go")
struct PushSenderPolicyTests {
  @Test(
    "a name that leads to a denied address is blocked before any packet",
    arguments: SSRFVectors.all.urls.filter { $0.stage == "connect" })
  func deniedNames(row: SSRFVectors.Row) async throws {
    let own = try #require(IPAddress(parsing: "93.184.215.200"))
    let answers = try (row.resolves?.first ?? []).map { text in
      text == "SELF" ? own : try #require(IPAddress(parsing: text))
    }
    #expect(!answers.isEmpty)
    let configuration = PushHarness.configuration { $0.resolver = { _ in answers } }
    let answer = try await PushHarness.withSender(
      allow: "", ownListeners: OwnListeners([.init(host: "::", port: 443)]) { $0 == own },
      configuration: configuration
    ) { sender, policy in
      await sender.send(try PushHarness.message(to: row.url, policy))
    }
    #expect(answer.outcome == .blocked)
    #expect(answer.status == nil)
    #expect(answer.reason != nil)
  }

  @Test(
    "one denied address among permitted ones blocks the name, wherever it stands",
    arguments: [
      ["10.0.0.5"], ["93.184.215.14", "10.0.0.5"], ["10.0.0.5", "93.184.215.14"],
      ["93.184.215.14", "fd00::5"],
      ["93.184.215.14", "::ffff:127.0.0.1"], ["::1"], ["127.0.0.1"], ["169.254.169.254"],
      ["2606:4700::1", "64:ff9b::a00:1"],
    ])
  func mixed(addresses: [String]) async throws {
    let answers = try addresses.map { try #require(IPAddress(parsing: $0)) }
    let configuration = PushHarness.configuration { $0.resolver = { _ in answers } }
    let answer = try await PushHarness.withSender(allow: "", configuration: configuration) { sender, policy in
      await sender.send(try PushHarness.message(to: "https://push.example/secret-path", policy))
    }
    #expect(answer.outcome == .blocked)
    #expect(answer.reason?.contains("https://push.example") == true)
    #expect(answer.reason?.contains("WAKE_PUSH_ALLOW") == true)
    #expect(answer.reason?.contains("secret-path") == false)
  }

  @Test("a listener on a denied address sees no connection")
  func noConnection() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let configuration = PushHarness.configuration { $0.resolver = { _ in [loopback] } }
    try await PushHarness.withSender(allow: "", configuration: configuration) { sender, policy in
      for host in ["push.example", "other.example."] {
        let message = try PushHarness.message(to: "https://\(host):\(server.port)/", policy)
        #expect(await sender.send(message).outcome == .blocked)
      }
    }
    #expect(server.accepted == 0)
  }

  @Test("an endpoint that was permitted once is judged by today's policy")
  func formerPolicy() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)/x"
    let former = AddressPolicy(allow: try PushAllowList(parsing: "http://127.0.0.1:\(server.port)"))
    let endpoint = try former.endpoint(from: url)
    let answer = try await PushHarness.withSender(allow: "") { sender, _ in
      await sender.send(PushHarness.message(to: endpoint))
    }
    #expect(answer.outcome == .blocked)
    #expect(answer.reason?.contains("WAKE_PUSH_ALLOW") == true)
    #expect(server.accepted == 0)
  }

  /// A policy that permits an address for the first `count` times that it is asked, and never again.
  private func fickle(_ count: Int, port: Int, _ address: IPAddress) -> OwnListeners {
    let asked = Counter()
    return OwnListeners([.init(host: "::", port: port)]) { asked.next() > count && $0 == address }
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  @Test(
    "the last word is spoken when a socket is opened, and when a request is about to go", arguments: [1, 2])
  func lastWord(permits: Int) async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    let own = fickle(permits, port: server.port, loopback)
    let answer = try await PushHarness.withSender(allow: "127.0.0.0/8", ownListeners: own) { sender, policy in
      await sender.send(try PushHarness.message(to: "http://127.0.0.1:\(server.port)/x", policy))
    }
    #expect(answer.outcome == .blocked)
    #expect(server.requests.isEmpty)
    // A connection that was made may be accepted a moment later.
    await server.wait(accepted: permits - 1)
    #expect(server.accepted == permits - 1)
  }

  @Test("a connection that is used again is judged as well")
  func lastWordOnReuse() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let loopback = try #require(IPAddress(parsing: "127.0.0.1"))
    // The first wake asks three times: addresses, socket, request. The second: addresses, request.
    let own = fickle(4, port: server.port, loopback)
    let outcomes = try await PushHarness.withSender(allow: "127.0.0.0/8", ownListeners: own) {
      sender, policy in
      let message = try PushHarness.message(to: "http://127.0.0.1:\(server.port)/x", policy)
      return [await sender.send(message).outcome, await sender.send(message).outcome]
    }
    #expect(outcomes == [.accepted, .blocked])
    #expect(server.requests.count == 1)
  }

  @Test("a name goes to the addresses that were judged, and to no other")
  func pinned() async throws {
    let first = try RawServer { _ in .status(201) }
    let second = try RawServer { _ in .status(201) }
    let third = try RawServer(ipv6: true) { _ in .status(201) }
    defer { for server in [first, second, third] { server.stop() } }
    let loopback4 = try #require(IPAddress(parsing: "127.0.0.1"))
    let loopback6 = try #require(IPAddress(parsing: "::1"))
    let configuration = PushHarness.configuration {
      // ".example" names resolve nowhere: whoever is reached was pinned.
      $0.resolver = { name in name.hasPrefix("six") ? [loopback6] : [loopback4] }
    }
    try await PushHarness.withSender(allow: "127.0.0.0/8, ::1/128", configuration: configuration) {
      sender, policy in
      for (host, port) in [
        ("four.example", first.port), ("four.example", second.port), ("four.example.", first.port),
        ("FOUR.example", first.port), ("six.example", third.port),
      ] {
        let answer = await sender.send(try PushHarness.message(to: "http://\(host):\(port)/x", policy))
        #expect(answer.outcome == .accepted)
      }
    }
    #expect(
      first.requests.map { $0.header("host") } == Array(repeating: "four.example:\(first.port)", count: 3))
    #expect(second.requests.count == 1)
    #expect(third.requests.map { $0.header("host") } == ["six.example:\(third.port)"])
  }

  @Test("a literal of IPv6 is reached, and named in brackets")
  func literal6() async throws {
    let server = try RawServer(ipv6: true) { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://[::1]:\(server.port)"
    let answer = try await PushHarness.withSender(allow: origin) { sender, policy in
      await sender.send(try PushHarness.message(to: "http://[0:0::0:1]:\(server.port)/x", policy))
    }
    #expect(answer.outcome == .accepted)
    #expect(server.requests.map { $0.header("host") } == ["[::1]:\(server.port)"])
  }

  @Test("where one address of a name is dead, another of them is taken")
  func fallback() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    // Nothing listens on ::1 nor on 127.0.0.2 at that port.
    let addresses = try ["::1", "127.0.0.2", "127.0.0.1"].map { try #require(IPAddress(parsing: $0)) }
    let configuration = PushHarness.configuration { $0.resolver = { _ in addresses } }
    let answer = try await PushHarness.withSender(allow: "127.0.0.0/8, ::1/128", configuration: configuration)
    {
      sender, policy in
      await sender.send(try PushHarness.message(to: "http://push.example:\(server.port)/x", policy))
    }
    #expect(answer.outcome == .accepted)
    #expect(server.requests.count == 1)
  }

  @Test("a name that changes its mind is blocked when it does")
  func rebinding() async throws {
    let asked = Counter()
    let good = try #require(IPAddress(parsing: "127.0.0.1"))
    let bad = try #require(IPAddress(parsing: "10.0.0.5"))
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let configuration = PushHarness.configuration {
      $0.resolver = { _ in asked.next() == 1 ? [good] : [bad] }
    }
    let outcomes = try await PushHarness.withSender(allow: "127.0.0.0/8", configuration: configuration) {
      sender, policy in
      var outcomes: [PushOutcome] = []
      for host in ["a.example", "b.example"] {
        let message = try PushHarness.message(to: "http://\(host):\(server.port)/x", policy)
        outcomes.append(await sender.send(message).outcome)
      }
      return outcomes
    }
    #expect(outcomes == [.accepted, .blocked])
  }

  @Test("a named origin is reached at whatever address, by the machine's own resolver")
  func namedOrigin() async throws {
    let server = try RawServer { _ in .status(201) }
    defer { server.stop() }
    let origin = "http://localhost:\(server.port)"
    let answer = try await PushHarness.withSender(allow: origin) { sender, policy in
      await sender.send(try PushHarness.message(to: origin + "/x", policy))
    }
    #expect(answer.outcome == .accepted)
    #expect(server.requests.first?.header("host") == "localhost:\(server.port)")
  }

  @Test("proxies and credentials of the environment have no effect")
  func environment() async {
    await #expect(processExitsWith: .success) {
      let proxy = try RawServer { _ in .status(502) }
      let server = try RawServer { _ in .status(201) }
      let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: home) }
      try Data("machine 127.0.0.1 login somebody password something\n".utf8).write(
        to: home.appendingPathComponent(".netrc"))
      setenv("HOME", home.path, 1)
      for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"] {
        setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
      }
      for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
      let place = "127.0.0.1:\(server.port)"
      let allowed = "http://\(place),https://\(place)"
      let outcomes = try await PushHarness.withSender(allow: allowed) { sender, policy in
        var outcomes: [PushOutcome] = []
        for scheme in ["http", "https"] {
          let message = try PushHarness.message(to: "\(scheme)://\(place)/x", policy)
          outcomes.append(await sender.send(message).outcome)
        }
        return outcomes
      }
      // The server speaks no TLS, and is reached all the same.
      #expect(outcomes == [.accepted, .network])
      #expect(proxy.accepted == 0 && server.accepted == 2)
      let authorization = server.requests.first?.headers.filter { $0.name == "Authorization" }.map(\.value)
      #expect(authorization == ["vapid t=header.claims.signature, k=publickey"])
      server.stop()
      proxy.stop()
    }
  }
}
