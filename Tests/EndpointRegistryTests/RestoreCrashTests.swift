import CryptoPrimitives
import Foundation
import Testing

@testable import EndpointRegistry

@Suite("A restore that is interrupted")
struct RestoreCrashTests {
  private static func killed(in folder: String, at stage: String, newMachine: Bool) throws {
    let reader = try BackupReader("\(folder)/backup")
    _ = try StoreRestoration(
      path: "\(folder)/wake.sqlite", keySource: .file("\(folder)/service.key"), revokesTokens: false, at: 0,
      random: .system, passphrase: { Backups.passphrase }
    ).run(reader, replacing: !newMachine, aside: "\(folder)/before") { progress in
      if "\(progress)" == stage { kill(getpid(), SIGKILL) }
    }
  }

  @Test(
    "kill -9 at any stage leaves the old store, whole, and the next restore goes through",
    arguments: ["preparing", "settingAside", "replacing"])
  func old(stage: String) async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack("old")
    try await temporary.backUp()
    _ = try await temporary.stack("new")
    await temporary.store.close()
    try temporary.folder.putKey()
    let path = temporary.folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, stage = stage as String] in
      try RestoreCrashTests.killed(in: path, at: stage, newMachine: false)
    }
    let store = try TemporaryStore.open(temporary.folder, create: false)
    #expect(try await store.stacks().map(\.label).sorted() == ["new", "old"])
    await store.close()
    try temporary.folder.restore(replacing: true, aside: "before-2")
    let restored = try TemporaryStore.open(temporary.folder, create: false)
    #expect(try await restored.stacks().map(\.label) == ["old"])
    await restored.close()
    #expect(try temporary.folder.names().allSatisfy { !$0.contains("restoring") })
  }

  @Test(
    "on a new machine there is no store then, and the next restore goes through",
    arguments: ["preparing", "installingKey", "replacing"])
  func new(stage: String) async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    let machine = try TemporaryFolder()
    try Backups.write(try await temporary.backUp(key: Backups.key()), machine.file("backup"))
    let path = machine.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, stage = stage as String] in
      try RestoreCrashTests.killed(in: path, at: stage, newMachine: true)
    }
    #expect(try !machine.names().contains("wake.sqlite"))
    try machine.restore(passphrase: Backups.passphrase)
    let key = try ServiceKeySource.file(machine.file("service.key")).load()
    let store = try TemporaryStore.open(machine, create: false, serviceKey: key)
    #expect(try await store.stacks().count == 1)
    await store.close()
    #expect(try machine.names() == ["backup", "service.key", "wake.sqlite"])
  }
}
