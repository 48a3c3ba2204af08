import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Rotating the service key")
struct ServiceKeyRotationTests {
  private static func source(_ folder: TemporaryFolder) -> ServiceKeySource {
    .file(folder.file("service.key"))
  }

  private static func open(_ folder: TemporaryFolder) throws(RegistryError) -> SQLiteStore {
    try SQLiteStore.open(
      at: folder.file("wake.sqlite"), keySource: source(folder), create: true, random: .system)
  }

  private static func rotate(_ folder: String, dyingAfter step: ServiceKeyRotation.Step? = nil) async throws {
    let key = "\(folder)/service.key"
    let store = try SQLiteStore.open(
      at: "\(folder)/wake.sqlite", keySource: .file(key), create: false, random: .system)
    try await ServiceKeyRotation(path: key).run(store, random: .system) { done in
      if done == step { kill(getpid(), SIGKILL) }
    }
    await store.close()
  }

  @Test("the new key opens the store, the old one does not, and whoever has it open goes on")
  func rotated() async throws {
    let folder = try TemporaryFolder()
    let store = try Self.open(folder)
    let stack = try await store.addStack(id: nil, label: "a", kinds: [], hookTokenName: "core", at: 0).stack
      .id
    let old = try Self.source(folder).load()
    try await ServiceKeyRotation(path: folder.file("service.key")).run(store, random: .system)
    let new = try Self.source(folder).load()
    #expect(new != old)
    #expect(try folder.mode("service.key") == 0o600)
    #expect(try !folder.names().contains("service.key.new"))
    let alert = NewAlert(kind: .problem, ref: "one", moment: .onset)
    _ = try await store.appendAlert(alert, to: stack, at: 0)
    #expect(throws: RegistryError.self) {
      try TemporaryStore.open(folder, create: false, serviceKey: old)
    }
    let another = try Self.open(folder)
    #expect(try await another.appendAlert(alert, to: stack, at: 0).isRepeat)
    await another.close()
    await store.close()
  }

  @Test("kill -9 after either step heals at the next opening", arguments: [true, false])
  func killed(afterRewrapping: Bool) async throws {
    let folder = try TemporaryFolder()
    await (try Self.open(folder)).close()
    let old = try Self.source(folder).load()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, after = afterRewrapping as Bool] in
      try await ServiceKeyRotationTests.rotate(path, dyingAfter: after ? .storeRewrapped : .keyWritten)
    }
    #expect(try folder.names().contains("service.key.new"))
    await (try Self.open(folder)).close()
    #expect(try folder.names().contains("service.key.new") == !afterRewrapping)
    #expect((try Self.source(folder).load() == old) == !afterRewrapping)
    // What is left over of the first step stands in nobody's way.
    try await Self.rotate(path)
    #expect(try folder.names() == ["service.key", "wake.sqlite"])
    await (try Self.open(folder)).close()
  }

  @Test("eight openings at once of a store whose rotation was cut off all succeed")
  func healingRace() async throws {
    let folder = try TemporaryFolder()
    await (try Self.open(folder)).close()
    let path = folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      try await ServiceKeyRotationTests.rotate(path, dyingAfter: .storeRewrapped)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try Self.open(folder) }) }
          }
          #expect(try await store.stacks() == [])
          await store.close()
        }
      }
      try await group.waitForAll()
    }
    #expect(try !folder.names().contains("service.key.new"))
  }

  @Test("a new key beside the old one that opens nothing heals nothing")
  func stranger() async throws {
    let folder = try TemporaryFolder()
    await (try Self.open(folder)).close()
    let key = try folder.octets("service.key")
    try FileManager.default.removeItem(atPath: folder.file("service.key"))
    for name in ["service.key", "service.key.new"] {
      try ServiceKeySource.writeNewKey(to: folder.file(name), random: .system)
    }
    let before = try folder.octets("service.key")
    #expect(throws: RegistryError.self) { try Self.open(folder) }
    #expect(try folder.octets("service.key") == before && before != key)
    #expect(try folder.names().contains("service.key.new"))
  }

  @Test("a key behind a link is replaced where it lies")
  func link() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("keys"), withIntermediateDirectories: false)
    try folder.putKey(TemporaryStore.serviceKey, "keys/real.key")
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("service.key"), withDestinationPath: folder.file("keys/real.key"))
    await (try Self.open(folder)).close()
    try await Self.rotate(folder.path)
    #expect(try ServiceKeySource.file(folder.file("keys/real.key")).load() != TemporaryStore.serviceKey)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("service.key"))
        == folder.file("keys/real.key"))
    await (try Self.open(folder)).close()
  }

  @Test("a wrong old key changes nothing, and a file that is there is not overwritten by a new key")
  func refused() async throws {
    let temporary = try TemporaryStore()
    let wrong = SecretOctets([UInt8](repeating: 8, count: 32))
    await #expect(throws: RegistryError.self) {
      try await temporary.store.rewrapDataKey(from: wrong, to: wrong)
    }
    await (try temporary.another()).close()
    #expect(throws: RegistryError.self) {
      try ServiceKeySource.writeNewKey(to: temporary.store.path, random: .system)
    }
  }
}
