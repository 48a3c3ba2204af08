import CryptoPrimitives
import Foundation
import KindCatalogue
import Synchronization
import Testing

@testable import EndpointRegistry

@Suite("Making a backup")
struct BackupTests {
  @Test("it is one file of mode 0600, says what is in it, and nothing stays beside it")
  func oneFile() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    _ = try await temporary.register(stack, subscription: .at("one"))
    _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    let before = try temporary.folder.names()
    try await temporary.backUp()
    #expect(try temporary.folder.names() == (before + ["backup"]).sorted())
    #expect(try temporary.folder.mode("backup") == 0o600)
    let reader = try BackupReader(temporary.folder.file("backup"))
    try reader.verify()
    let contents = reader.contents
    #expect(
      contents
        == BackupContents(
          madeAt: TemporaryStore.now, schema: Schema.migrations.count, stacks: 1, devices: 1, alerts: 1,
          hasKey: false))
    #expect(reader.length == Int64(try temporary.folder.octets("backup").count))
  }

  @Test("the store in it is a whole database that needs no log beside it")
  func database() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    let store = try Backups.part(.store, of: try await temporary.backUp())
    // File format, write and read version: 1 is a rollback journal, 2 a write-ahead log (SQLite, Database File Format
    // §1.3.3).
    #expect(store[18] == 1 && store[19] == 1)
    let folder = try TemporaryFolder()
    try Backups.write(store, folder.file("wake.sqlite"))
    let copy = try TemporaryStore.open(folder, create: false)
    #expect(try await copy.stacks() == temporary.store.stacks())
    await copy.close()
  }

  @Test("no digest of a pairing code is in it, open, used, expired or deleted before")
  func pairingCodes() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let other = try await temporary.stack("other").stack.id
    var codes: [Token] = []
    for _ in 0..<200 { codes.append(try await temporary.code(for: stack)) }
    for _ in 0..<200 { codes.append(try await temporary.code(for: other)) }
    let used = try await temporary.code(for: stack)
    _ = try await temporary.store.register(
      Registration(pairing: used, client: .minted(.system), subscription: .at("one")), at: TemporaryStore.now)
    // The rows of these are in free pages of the store itself.
    try await temporary.store.removeStack(other)
    let backup = Data(try await temporary.backUp())
    for code in codes + [used] { #expect(backup.range(of: Data(code.digest)) == nil) }
  }

  @Test("a file that is there is refused, and stays; only a backup is ever replaced")
  func existing() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.folder.file("backup")
    try Backups.write([1, 2, 3], path)
    await #expect(throws: RegistryError.backup(.fileExists, path: path)) { try await temporary.backUp() }
    #expect(try temporary.folder.octets("backup") == [1, 2, 3])
    #expect(try temporary.folder.names().filter { $0.hasPrefix("backup") } == ["backup"])
    await #expect(throws: RegistryError.backup(.notReplaceable, path: path)) {
      try await temporary.backUp(replacing: true)
    }
    #expect(try temporary.folder.octets("backup") == [1, 2, 3])
    // One that is damaged behind its first line is a backup still.
    try Backups.write(Array("wake-backup-1\nrubbish".utf8), path)
    try await temporary.backUp(replacing: true)
    try BackupReader(path).verify()
    #expect(try temporary.folder.mode("backup") == 0o600)
  }

  @Test("a writer at full speed holds no backup up, and the backup is of one moment")
  func busyWriter() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let stack = try await temporary.stack().stack.id
    let alert = NewAlert(kind: .problem, alert: [UInt8](repeating: 0x78, count: 8_000))
    for _ in 0..<400 { _ = try await store.appendAlert(alert, to: stack, at: 0) }
    let another = try temporary.another()
    let path = temporary.folder.file("backup")
    let steps = Mutex<[Int64]>([])
    let writing = Task {
      var written = 0
      while !Task.isCancelled {
        _ = try await another.appendAlert(alert, to: stack, at: 0)
        written += 1
      }
      return written
    }
    _ = try await store.backUp(
      to: path, replacing: false, key: nil, at: 0, random: .system,
      progress: { progress in
        if case .copying(let done, _) = progress { steps.withLock { $0.append(done) } }
      })
    writing.cancel()
    #expect(try await writing.value > 0)
    await another.close()
    // It never went back.
    let done = steps.withLock { $0 }
    #expect(!done.isEmpty && done == done.sorted() && Set(done).count == done.count)

    let folder = try TemporaryFolder()
    try Backups.write(
      try Backups.part(.store, of: temporary.folder.octets("backup")), folder.file("wake.sqlite"))
    let copy = try TemporaryStore.open(folder, create: false)
    let newest = try #require(try await copy.stack(stack)?.newest.number)
    let kept = try await copy.alerts(of: stack, after: nil, limit: 10_000).alerts
    #expect(kept.last?.id.number == newest && kept.allSatisfy { !$0.isFaulty })
    #expect(Int64(kept.count) == (try BackupReader(path)).contents.alerts)
    await copy.close()
  }

  @Test("of two backups to one file at once, one is told so, or both are whole")
  func twice() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    let path = temporary.folder.file("backup")
    let answers = await withTaskGroup(of: RegistryError?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do throws(RegistryError) {
            _ = try await temporary.store.backUp(
              to: path, replacing: true, key: nil, at: 0, random: .system)
            return nil
          } catch { return error }
        }
      }
      return await group.reduce(into: [RegistryError?]()) { $0.append($1) }
    }
    #expect(answers.contains(nil))
    #expect(answers.allSatisfy { $0 == nil || $0 == .backup(.inProgress, path: path) })
    try BackupReader(path).verify()
    #expect(try temporary.folder.names().filter { $0.hasPrefix("backup") } == ["backup"])
  }

  @Test("the service key is in it only under its passphrase")
  func key() async throws {
    let temporary = try TemporaryStore()
    let backup = try await temporary.backUp(key: Backups.key())
    let reader = try BackupReader(temporary.folder.file("backup"))
    try reader.verify()
    #expect(reader.contents.hasKey)
    #expect(Data(backup).range(of: Data(TemporaryStore.serviceKey.octets)) == nil)
    let sealing = try #require(reader.manifest.part(.serviceKey)?.sealing)
    #expect(sealing.parameters == .recommended)
    let part = try Backups.part(.serviceKey, of: backup)
    #expect(
      try SealedServiceKey.open(part, passphrase: Backups.passphrase, sealing) == TemporaryStore.serviceKey)
    let wrong = SecretOctets(Array("correct horse battery stable".utf8))
    #expect(try SealedServiceKey.open(part, passphrase: wrong, sealing) == nil)
  }

  @Test("a key that does not open the store, and a short passphrase, make no backup")
  func wrongKey() async throws {
    let temporary = try TemporaryStore()
    let wrong = try BackupKey(
      serviceKey: SecretOctets([UInt8](repeating: 8, count: 32)), passphrase: Backups.passphrase)
    await #expect(throws: RegistryError.self) { try await temporary.backUp(key: wrong) }
    #expect(try temporary.folder.names().filter { $0.hasPrefix("backup") } == [])
    #expect(throws: BackupFault.passphraseTooShort) {
      try BackupKey(
        serviceKey: TemporaryStore.serviceKey, passphrase: SecretOctets(Array("elevenchars".utf8)))
    }
  }
}
