import Foundation
import Glibc
import HTTPListener
import TestSupport
import Testing

@Suite("Sockets to listen on")
struct ListenSocketTests {
  /// A folder for one test's socket, short enough for a socket's path.
  private final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/wake-test-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw RawHTTPError.system("mkdtemp", errno) }
      path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var socket: String { path + "/admin.sock" }
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test(
    "port 0 becomes the port in fact, on IPv4, IPv6 and by name",
    arguments: ["127.0.0.1", "::1", "localhost"])
  func tcp(_ host: String) async throws {
    let harness = try ListenerHarness(address: .tcp(host: host, port: 0))
    guard case .tcp(_, let port) = harness.listener.address else {
      Issue.record("not TCP")
      return
    }
    #expect(port > 0)
    let answer = try await harness.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.status == 200)
    #expect(["127.0.0.1", "::1"].contains(harness.requests.first?.peer))
    await harness.listener.stop()
  }

  @Test("the IPv6 wildcard takes IPv4 as well, and shows it as IPv4")
  func bothFamilies() async throws {
    let harness = try ListenerHarness(address: .tcp(host: "::", port: 0))
    guard case .tcp("::", let port) = harness.listener.address else {
      Issue.record("not the wildcard")
      return
    }
    let status = try await onOwnThread {
      try RawHTTPConnection(host: "127.0.0.1", port: port).exchange("GET", "/a")?.status
    }
    #expect(status == 200)
    #expect(harness.requests.first?.peer == "127.0.0.1")
    await harness.listener.stop()
  }

  @Test("a port that somebody listens on is refused, and free again after the end")
  func portInUse() async throws {
    let first = try ListenerHarness()
    let address = first.listener.address
    #expect(throws: HTTPListenerError.addressInUse(address.description)) {
      try ListenerHarness(address: address)
    }
    _ = try await first.connected { try $0.exchange("GET", "/a") }
    await first.listener.stop()
    let second = try ListenerHarness(address: address)
    await second.listener.stop()
  }

  @Test("a host without an address is refused")
  func unknownHost() {
    #expect(throws: HTTPListenerError.self) { try ListenerHarness(address: .tcp(host: "256.0.0.1", port: 0)) }
    #expect(throws: HTTPListenerError.self) { try ListenerHarness(address: .tcp(host: "192.0.2.1", port: 0)) }
  }

  @Test("a Unix socket is its owner's alone, serves, and is gone after the end")
  func unix() async throws {
    let folder = try Folder()
    let harness = try ListenerHarness(address: .unix(path: folder.socket))
    #expect(harness.listener.address == .unix(path: folder.socket))
    #expect(mode(folder.socket) == S_IFSOCK | 0o600)
    let answer = try await harness.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.status == 200)
    #expect(harness.requests.first?.peer == nil)
    await harness.listener.stop()
    #expect(mode(folder.socket) == nil)
  }

  // The umask belongs to the whole process, so these have one of their own.

  @Test("no umask opens the socket to others")
  func unixOpenUmask() async {
    await #expect(processExitsWith: .success) {
      umask(0)
      try ListenSocketTests.expectPrivateSocket()
    }
  }

  @Test("no umask shuts the owner out")
  func unixTightUmask() async {
    await #expect(processExitsWith: .success) {
      let folder = try Folder()
      umask(0o777)
      try ListenSocketTests.expectPrivateSocket(in: folder)
    }
  }

  private static func expectPrivateSocket(in folder: Folder? = nil) throws {
    let folder = try folder ?? Folder()
    let harness = try ListenerHarness(address: .unix(path: folder.socket))
    var status = stat()
    guard lstat(folder.socket, &status) == 0, status.st_mode == S_IFSOCK | 0o600 else { exit(1) }
    withExtendedLifetime(harness) {}
  }

  @Test("a Unix socket that is alive is left alone")
  func unixInUse() async throws {
    let folder = try Folder()
    let first = try ListenerHarness(address: .unix(path: folder.socket))
    #expect(throws: HTTPListenerError.addressInUse("unix:\(folder.socket)")) {
      try ListenerHarness(address: .unix(path: folder.socket))
    }
    let answer = try await first.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.status == 200)
    await first.listener.stop()
  }

  @Test("of several that start at once on one path, one serves")
  func unixRace() async throws {
    let folder = try Folder()
    let path = folder.socket
    try leaveStaleSocket(at: path)
    let started = try await withThrowingTaskGroup(of: ListenerHarness?.self) { group in
      for _ in 0..<8 {
        group.addTask { try await onOwnThread { try? ListenerHarness(address: .unix(path: path)) } }
      }
      return try await group.reduce(into: [ListenerHarness]()) { if let harness = $1 { $0.append(harness) } }
    }
    #expect(started.count == 1)
    let answer = try await started.first?.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.status == 200)
    for harness in started { await harness.listener.stop() }
  }

  @Test("a Unix socket that a dead process left is replaced")
  func unixStale() async throws {
    let folder = try Folder()
    try leaveStaleSocket(at: folder.socket)
    let harness = try ListenerHarness(address: .unix(path: folder.socket))
    let answer = try await harness.connected { try $0.exchange("GET", "/a") }
    #expect(answer?.status == 200)
    await harness.listener.stop()
  }

  @Test("a file, a link or a folder at the path is left alone")
  func unixOccupied() throws {
    let folder = try Folder()
    try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.socket))
    #expect(throws: HTTPListenerError.notASocket(folder.socket)) {
      try ListenerHarness(address: .unix(path: folder.socket))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.socket)) == Data("precious".utf8))
    #expect(symlink(folder.socket, folder.path + "/link") == 0)
    #expect(throws: HTTPListenerError.notASocket(folder.path + "/link")) {
      try ListenerHarness(address: .unix(path: folder.path + "/link"))
    }
    #expect(throws: HTTPListenerError.notASocket(folder.path)) {
      try ListenerHarness(address: .unix(path: folder.path))
    }
  }

  @Test("a path in a folder that does not exist, or one too long, is refused")
  func unixImpossible() throws {
    let folder = try Folder()
    #expect(throws: HTTPListenerError.self) {
      try ListenerHarness(address: .unix(path: folder.path + "/no/s"))
    }
    let long = folder.path + "/" + String(repeating: "a", count: 120)
    #expect(throws: HTTPListenerError.self) { try ListenerHarness(address: .unix(path: long)) }
  }

  @Test("the end does not remove a socket that has taken the place of ours")
  func unixReplaced() async throws {
    let folder = try Folder()
    let first = try ListenerHarness(address: .unix(path: folder.socket))
    #expect(unlink(folder.socket) == 0)
    let second = try ListenerHarness(address: .unix(path: folder.socket))
    await first.listener.stop()
    #expect(mode(folder.socket) != nil)
    await second.listener.stop()
  }

  @Test("a socket that was handed over serves, and is left to its owner")
  func adopted() async throws {
    let folder = try Folder()
    let path = folder.socket
    let descriptor = boundSocket(at: path)
    #expect(listen(descriptor, 5) == 0)
    let owners = dup(descriptor)
    let listener = try HTTPListener(
      socket: .adopting(descriptor: descriptor), refusal: { .init(status: $0.status) },
      handler: { _ in HTTPResponse(status: 204) })
    #expect(listener.address == .unix(path: path))
    let status = try await onOwnThread { try RawHTTPConnection(unixPath: path).exchange("GET", "/a")?.status }
    #expect(status == 204)
    await listener.stop()
    // Its owner can go on with it: it still takes connections.
    #expect(mode(path) != nil)
    try await onOwnThread { _ = try RawHTTPConnection(unixPath: path) }
    close(owners)
  }

  private func boundSocket(at path: String) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { place in
      for (offset, octet) in path.utf8.enumerated() { place[offset] = octet }
    }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(result == 0)
    return descriptor
  }

  /// Leaves a socket behind as a process does that was killed.
  private func leaveStaleSocket(at path: String) throws { close(boundSocket(at: path)) }
}
