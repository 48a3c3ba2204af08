import CryptoPrimitives
import Foundation
import Testing

@testable import EndpointRegistry

@Suite("The service key")
struct ServiceKeyTests {
  private static let line = "wake-service-key-1 \(Base64URL.encode([UInt8](repeating: 7, count: 32)))"

  private static func write(_ text: String, to path: String, mode: Int = 0o600) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// What the refusal says.
  private static func refusal(_ source: ServiceKeySource, storeExists: Bool = false) throws -> String {
    let error = try #require(throws: RegistryError.self) {
      try source.loadOrCreate(storeExists: storeExists, random: .system)
    }
    switch error {
    case .serviceKeyUnusable(let reason), .serviceKeyCommand(let reason): return reason
    default: throw error
    }
  }

  @Test("a first start makes a file of mode 0600; the next one reads it")
  func create() throws {
    let folder = try TemporaryFolder()
    let source = ServiceKeySource.file(folder.file("state/service.key"))
    let key = try source.loadOrCreate(storeExists: false, random: .system)
    #expect(key.count == 32)
    #expect(try folder.mode("state/service.key") == 0o600)
    #expect(try folder.mode("state") == 0o700)
    let text = String(decoding: try folder.octets("state/service.key"), as: UTF8.self)
    #expect(text == "wake-service-key-1 \(Base64URL.encode(key.octets))\n")
    #expect(try source.load() == key)
    #expect(try source.loadOrCreate(storeExists: true, random: .system) == key)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("state")) == ["service.key"])
  }

  @Test("loading never makes a key, and a key that is missing while the store is there is a refusal")
  func missing() throws {
    let folder = try TemporaryFolder()
    let source = ServiceKeySource.file(folder.file("service.key"))
    #expect(throws: RegistryError.self) { try source.load() }
    #expect(try Self.refusal(source, storeExists: true).contains("is missing"))
    #expect(try folder.names() == [])
  }

  @Test(
    "a file that others may read is a refusal, and stays as it is",
    arguments: [0o640, 0o604, 0o660, 0o602, 0o610])
  func readable(mode: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("service.key")
    try Self.write(Self.line, to: path, mode: mode)
    #expect(throws: RegistryError.serviceKeyExposed(path: path)) { try ServiceKeySource.file(path).load() }
    #expect(try folder.octets("service.key") == Array(Self.line.utf8))
  }

  @Test(
    "a file that is no key is a refusal, and stays as it is",
    arguments: [
      "", "\n", "wake-service-key-1", "wake-service-key-1 ", "wake-service-key-2 " + line.suffix(43),
      line + "A", String(line.dropLast()), line + "\n\n", line + "\nmore", " " + line, line + " ",
      line.replacingOccurrences(of: "-1 ", with: "-1  "), line.replacingOccurrences(of: "Bw", with: "B/"),
      String(repeating: "x", count: 100_000),
    ])
  func malformed(text: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("service.key")
    try Self.write(text, to: path)
    for storeExists in [false, true] {
      let reason = try Self.refusal(.file(path), storeExists: storeExists)
      #expect(reason.contains(path))
      #expect(!reason.contains(Self.line.suffix(43)))
    }
    #expect(try folder.octets("service.key") == Array(text.utf8))
  }

  @Test("a line end or none, and that of Windows, make no difference", arguments: ["", "\n", "\r\n"])
  func lineEnds(end: String) throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.line + end, to: folder.file("service.key"), mode: 0o400)
    #expect(try ServiceKeySource.file(folder.file("service.key")).load() == TemporaryStore.serviceKey)
  }

  @Test("what is no regular file is a refusal, and holds nobody up")
  func irregular() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("service.key")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try Self.refusal(.file(path)).contains("not a regular file"))
    #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(try Self.refusal(.file(folder.file("pipe"))).contains("not a regular file"))
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "nowhere")
    #expect(try Self.refusal(.file(folder.file("link"))).contains(folder.file("link")))
    #expect(try Self.refusal(.file(folder.file("pipe/below"))).contains("pipe/below"))
  }

  @Test("a link to a key is followed, and what it leads to is held to the same rules")
  func link() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.line, to: folder.file("real.key"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("service.key"), withDestinationPath: folder.file("real.key"))
    #expect(try ServiceKeySource.file(folder.file("service.key")).load() == TemporaryStore.serviceKey)
    try Self.write(Self.line, to: folder.file("real.key"), mode: 0o644)
    #expect(throws: RegistryError.serviceKeyExposed(path: folder.file("service.key"))) {
      try ServiceKeySource.file(folder.file("service.key")).load()
    }
  }

  @Test("32 first starts at once end with one key, and leave nothing else behind")
  func race() async throws {
    let folder = try TemporaryFolder()
    let source = ServiceKeySource.file(folder.file("service.key"))
    let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<32 {
        group.addTask { try source.loadOrCreate(storeExists: false, random: .system).octets }
      }
      return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
    #expect(try folder.names() == ["service.key"])
  }

  @Test("a credential of systemd is read from its folder, where a group may be let in and everybody may not")
  func credential() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.line, to: folder.file("wake-key"), mode: 0o440)
    let load = { (name: String) in try ServiceKeyFile.loadCredential(name, folder: folder.path) }
    #expect(try load("wake-key") == TemporaryStore.serviceKey)
    for name in ["", ".", "..", "../wake-key", "missing"] {
      #expect(throws: RegistryError.self) { try load(name) }
    }
    try Self.write(Self.line, to: folder.file("wake-key"), mode: 0o444)
    #expect(throws: RegistryError.self) { try load("wake-key") }
    #expect(throws: RegistryError.self) { try ServiceKeyFile.loadCredential("wake-key", folder: nil) }
  }

  @Test("a command prints the key")
  func command() throws {
    let folder = try TemporaryFolder()
    try Self.write(Self.line, to: folder.file("key"))
    let source = ServiceKeySource.command("cat '\(folder.file("key"))' | cat")
    #expect(try source.load() == TemporaryStore.serviceKey)
    #expect(try source.loadOrCreate(storeExists: false, random: .system) == TemporaryStore.serviceKey)
  }

  @Test(
    "a command that fails, prints nothing, too much or no key is a refusal that does not repeat it",
    arguments: [
      "exit 3", "true", "yes planted", "echo planted", "kill -9 $$", "/nonexistent/planted 2>&-",
      "echo \(line); exit 1",
    ])
  func commandFailure(command: String) throws {
    for storeExists in [false, true] {
      let reason = try Self.refusal(
        .command(command.hasPrefix("yes") ? "\(command) | head -c 1000000" : command),
        storeExists: storeExists)
      #expect(reason.contains("the service key command") && !reason.contains("restore"))
      #expect(!reason.contains("planted") && !reason.contains(Self.line.suffix(43)))
    }
  }
}
