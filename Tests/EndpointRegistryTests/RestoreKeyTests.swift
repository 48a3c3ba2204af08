import CryptoPrimitives
import Foundation
import Testing

@testable import EndpointRegistry

@Suite("The service key of a restored store")
struct RestoreKeyTests {
  private static let other = SecretOctets([UInt8](repeating: 8, count: 32))

  /// A backup in a folder of its own.
  private static func backup(withKey: Bool) async throws -> TemporaryFolder {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    try await temporary.backUp(key: withKey ? Backups.key() : nil)
    return temporary.folder
  }

  private static func stacks(_ folder: TemporaryFolder, _ key: SecretOctets) async throws -> Int {
    let store = try TemporaryStore.open(folder, create: false, serviceKey: key)
    let count = try await store.stacks().count
    await store.close()
    return count
  }

  @Test("where there is none, that of the backup is installed, mode 0600")
  func installed() async throws {
    let backup = try await Self.backup(withKey: true)
    let machine = try TemporaryFolder()
    let restored = try machine.restore(from: backup, passphrase: Backups.passphrase)
    #expect(restored.didInstallKey)
    #expect(try machine.mode("service.key") == 0o600)
    #expect(try machine.names() == ["service.key", "wake.sqlite"])
    #expect(
      try await Self.stacks(machine, ServiceKeySource.file(machine.file("service.key")).load()) == 1)
  }

  @Test("where there is another one, it stays, and opens the store from now on")
  func rewrapped() async throws {
    let backup = try await Self.backup(withKey: true)
    let machine = try TemporaryFolder()
    try machine.putKey(Self.other)
    let before = try machine.octets("service.key")
    #expect(try !machine.restore(from: backup, passphrase: Backups.passphrase).didInstallKey)
    #expect(try machine.octets("service.key") == before)
    #expect(try await Self.stacks(machine, Self.other) == 1)
    #expect(throws: RegistryError.self) { try TemporaryStore.open(machine, create: false) }
  }

  @Test("a key that comes from a command opens the store too")
  func command() async throws {
    let backup = try await Self.backup(withKey: true)
    let machine = try TemporaryFolder()
    try machine.putKey(Self.other, "elsewhere")
    let source = ServiceKeySource.command("cat '\(machine.file("elsewhere"))'")
    try machine.restore(from: backup, key: source, passphrase: Backups.passphrase)
    #expect(try await Self.stacks(machine, Self.other) == 1)
    #expect(try machine.names() == ["elsewhere", "wake.sqlite"])
  }

  @Test("the passphrase is not asked for where the key is in its place")
  func notAsked() async throws {
    let backup = try await Self.backup(withKey: true)
    let machine = try TemporaryFolder()
    try machine.putKey()
    try machine.restore(from: backup)
    #expect(try await Self.stacks(machine, TemporaryStore.serviceKey) == 1)
  }

  @Test("a wrong passphrase, none, and a backup without the key are refusals that touch nothing")
  func refused() async throws {
    let with = try await Self.backup(withKey: true)
    let without = try await Self.backup(withKey: false)
    let wrong = SecretOctets(Array("correct horse battery stable".utf8))
    for local in [nil, Self.other] {
      let machine = try TemporaryFolder()
      if let local { try machine.putKey(local) }
      let before = try machine.names()
      let path = with.file("backup")
      #expect(throws: RegistryError.backup(.wrongPassphrase, path: path)) {
        try machine.restore(from: with, passphrase: wrong)
      }
      #expect(throws: RegistryError.backup(.passphraseMissing, path: path)) {
        try machine.restore(from: with)
      }
      let error = #expect(throws: RegistryError.self) {
        try machine.restore(from: without, passphrase: Backups.passphrase)
      }
      guard case .serviceKeyUnusable(let sentence) = error else {
        Issue.record("\(error as Any)")
        return
      }
      #expect(sentence.contains("WAKE_SERVICE_KEY_FILE"))
      #expect(try machine.names() == before)
    }
  }
}
