import PushDelivery
import Synchronization
import TestSupport
import Testing

@Suite("The sender: ten thousand wakes to where it must not go")
struct DeniedAddressTests {
  /// Addresses that lead to this machine or its neighbours, in every form that some system takes for them.
  private static let denied = [
    "127.0.0.1", "127.0.0.53", "127.255.255.254", "0.0.0.0", "0.0.0.1", "10.0.0.5", "100.64.0.1",
    "169.254.169.254", "172.16.0.1", "192.168.0.1", "192.0.0.8", "198.18.0.1", "224.0.0.1", "255.255.255.255",
    "::1", "::", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:0.0.0.0", "::ffff:169.254.169.254",
    "64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2002:7f00:1::", "2002:7f00:1::1", "2001:0:7f00:1::1",
    "fe80::1", "fc00::1", "fd00::1", "fec0::1", "ff02::1", "100::1", "2001:db8::1",
  ]
  private static let wakes = 10_000

  /// Tells how often it was asked.
  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  @Test("none of them makes a connection", .timeLimit(.minutes(5)))
  func none() async throws {
    // It takes whatever reaches this machine at its port, by whatever address and family.
    let listener = try RawServer(everywhere: true) { _ in .status(201) }
    defer { listener.stop() }
    let port = listener.port
    let denied = try Self.denied.map { try #require(IPAddress(parsing: $0)) }
    let good = try #require(IPAddress(parsing: "127.0.0.2"))
    let asked = Counter()
    let configuration = PushHarness.configuration {
      $0.resolver = { name in
        // pure7.x.example: one denied address; mixed7…: behind and before a permitted one; all: every one of them.
        let count = asked.next()
        let number = Int(name.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? count
        let bad = denied[number % denied.count]
        return switch true {
        case name.hasPrefix("pure"): [bad]
        case name.hasPrefix("mixed"): count.isMultiple(of: 2) ? [good, bad] : [bad, good]
        case name.hasPrefix("all"): denied
        default: Array(repeating: good, count: 200) + [bad]
        }
      }
    }
    // 127.0.0.2 is permitted, so that only the other addresses keep a name from being reached.
    let blocked = try await PushHarness.withSender(allow: "127.0.0.2/32", configuration: configuration) {
      sender, policy in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<Self.wakes {
          let kind = ["pure", "mixed", "all", "many"][number % 4]
          let name = "\(kind)\(number / 4).x\(number).example"
          let message = try PushHarness.message(to: "https://\(name):\(port)/up", policy)
          group.addTask { await sender.send(message).outcome == .blocked }
        }
        return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
      }
    }
    #expect(blocked == Self.wakes)
    #expect(listener.accepted == 0)
  }

  @Test("a literal is refused by its text alone, at registration and again when a wake is due")
  func literals() async throws {
    let listener = try RawServer(everywhere: true) { _ in .status(201) }
    defer { listener.stop() }
    let open = AddressPolicy(allow: try PushAllowList(parsing: "0.0.0.0/0, ::/0"))
    try await PushHarness.withSender(allow: "") { sender, policy in
      for text in Self.denied {
        let url = "https://\(text.contains(":") ? "[\(text)]" : text):\(listener.port)/up"
        #expect(throws: EndpointRefusal.self, "\(url)") { try policy.endpoint(from: url) }
        // It was taken by a policy of another day.
        let message = PushHarness.message(to: try open.endpoint(from: url))
        #expect(await sender.send(message).outcome == .blocked, "\(url)")
      }
    }
    #expect(listener.accepted == 0)
  }

  @Test(
    "a name that is permitted and answers otherwise later is blocked, and its kept connection is not used")
  func rebinding() async throws {
    let listener = try RawServer(everywhere: true) { _ in .status(201) }
    defer { listener.stop() }
    let good = try #require(IPAddress(parsing: "127.0.0.2"))
    let bad = try #require(IPAddress(parsing: "127.0.0.1"))
    let asked = Mutex<Set<String>>([])
    let configuration = PushHarness.configuration {
      $0.resolver = { name in asked.withLock { $0.insert(name).inserted } ? [good] : [bad] }
      $0.addressMilliseconds = 0
    }
    try await PushHarness.withSender(allow: "127.0.0.2/32", configuration: configuration) { sender, policy in
      for number in 0..<50 {
        let message = try PushHarness.message(to: "http://n\(number).example:\(listener.port)/up", policy)
        #expect(await sender.send(message).outcome == .accepted)
        for _ in 0..<3 { #expect(await sender.send(message).outcome == .blocked) }
      }
    }
    #expect(listener.requests.count == 50)
  }
}
