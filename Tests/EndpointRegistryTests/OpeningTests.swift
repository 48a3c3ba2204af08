import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("Opening a store")
struct OpeningTests {
  private static func open(
    _ folder: TemporaryFolder, create: Bool = false, options: StoreOptions = StoreOptions()
  ) throws(RegistryError) -> SQLiteStore {
    try TemporaryStore.open(folder, create: create, options: options)
  }

  /// A store with a stack in it, closed again.
  private static func closedStore() async throws -> (TemporaryFolder, StackID) {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    await temporary.store.close()
    return (temporary.folder, stack)
  }

  @Test("a new store says that it is new, and the next opening that it is not; what was kept is there")
  func reopening() async throws {
    let temporary = try TemporaryStore()
    #expect(temporary.store.didCreate)
    let stack = try await temporary.stack().stack
    try await temporary.store.check()
    await temporary.store.close()
    let reopened = try Self.open(temporary.folder)
    #expect(!reopened.didCreate)
    #expect(try await reopened.stacks() == [stack])
    // Closing the last connection has moved the log into the file.
    await reopened.close()
    #expect(try temporary.folder.names() == ["wake.sqlite"])
  }

  @Test("where there is no store, none is made unless asked for")
  func missing() throws {
    let folder = try TemporaryFolder()
    #expect(throws: RegistryError.storeMissing(folder.file("wake.sqlite"))) { try Self.open(folder) }
    #expect(try folder.names() == [])
    #expect(try Self.open(folder, create: true).didCreate)
  }

  @Test("of 16 first openings at once one makes the store, and all use it")
  func race() async throws {
    let folder = try TemporaryFolder()
    let stores = try await withThrowingTaskGroup(of: SQLiteStore.self) { group in
      for _ in 0..<16 {
        group.addTask {
          // Opening waits for the disk, and so not on a thread of the pool.
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try Self.open(folder, create: true) })
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(stores.filter(\.didCreate).count == 1)
    for (number, store) in stores.enumerated() {
      _ = try await store.addStack(id: nil, label: "\(number)", kinds: [], hookTokenName: "core", at: 0)
    }
    for store in stores {
      #expect(try await store.stacks().count == 16)
      await store.close()
    }
    #expect(try folder.names() == ["wake.sqlite"])
  }

  @Test("a relative path is refused", arguments: ["wake.sqlite", "./wake.sqlite", ""])
  func relative(path: String) {
    #expect(throws: RegistryError.pathNotAbsolute(path)) {
      try SQLiteStore.open(at: path, serviceKey: TemporaryStore.serviceKey, create: true, random: .system)
    }
  }

  @Test("WAL, full synchronisation and foreign keys are on for the connection that writes")
  func pragmas() async throws {
    let store = try TemporaryStore().store
    let read = { @Sendable (session: Session) throws(RegistryError) in
      [
        try session.database.first("PRAGMA journal_mode") { $0.text(0) },
        try session.database.first("PRAGMA synchronous") { $0.text(0) },
        try session.database.first("PRAGMA foreign_keys") { $0.text(0) },
        try session.database.first("PRAGMA query_only") { $0.text(0) },
      ]
    }
    #expect(try await store.write(read) == ["wal", "2", "1", "0"])
    #expect(try await store.read(read) == ["wal", "2", "1", "1"])
  }

  @Test("a newer schema is refused, and the file is not changed by a byte")
  func newerSchema() async throws {
    let (folder, _) = try await Self.closedStore()
    let newer = Schema.migrations.count + 1
    do {
      let database = try Database(
        path: folder.file("wake.sqlite"), mode: .readWrite, busyTimeoutMilliseconds: 1_000)
      try database.execute("PRAGMA user_version = \(newer)")
    }
    let before = try folder.octets("wake.sqlite")
    for create in [false, true] {
      #expect(throws: RegistryError.newerSchema(found: newer, known: newer - 1)) {
        try Self.open(folder, create: create)
      }
    }
    #expect(try folder.octets("wake.sqlite") == before)
  }

  @Test("a file that is something else is refused, and not changed by a byte")
  func foreign() throws {
    for content in ["CREATE TABLE mine (a)", "PRAGMA application_id = 1", "PRAGMA user_version = 1"] {
      let folder = try TemporaryFolder()
      #expect(FileManager.default.createFile(atPath: folder.file("wake.sqlite"), contents: nil))
      do {
        let database = try Database(
          path: folder.file("wake.sqlite"), mode: .readWrite, busyTimeoutMilliseconds: 1_000)
        try database.execute(content)
      }
      try Self.expectRefusal(.notAStore(folder.file("wake.sqlite")), folder)
    }
    for text in ["", "hello", String(repeating: "no database, and long enough for a header. ", count: 100)] {
      let folder = try TemporaryFolder()
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("wake.sqlite")))
      try Self.expectRefusal(.notAStore(folder.file("wake.sqlite")), folder)
    }
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("wake.sqlite"), withIntermediateDirectories: false)
    #expect(throws: RegistryError.notAStore(folder.file("wake.sqlite"))) {
      try Self.open(folder, create: true)
    }
  }

  private static func expectRefusal(_ error: RegistryError, _ folder: TemporaryFolder) throws {
    let before = try folder.octets("wake.sqlite")
    for create in [false, true] {
      #expect(throws: error) { try open(folder, create: create) }
    }
    #expect(try folder.octets("wake.sqlite") == before)
  }

  @Test("a damaged file is refused, and not changed by a byte")
  func damaged() async throws {
    let (folder, _) = try await Self.closedStore()
    let whole = try folder.octets("wake.sqlite")
    let path = folder.file("wake.sqlite")
    // Every page but the first is overwritten; then the file is cut.
    var overwritten = whole
    for index in 4_096..<whole.count { overwritten[index] = 0xA5 }
    for content in [overwritten, Array(whole.prefix(whole.count / 2))] {
      try Data(content).write(to: URL(fileURLWithPath: path))
      #expect(throws: RegistryError.damaged(path)) { try Self.open(folder) }
      #expect(try folder.octets("wake.sqlite") == content)
    }
  }

  @Test(
    "a row that holds what none of ours can is an error, not a trap",
    arguments: [
      "UPDATE stacks SET kinds = 'nonsense'", "UPDATE stacks SET newest = 9223372036854775807",
      "UPDATE stacks SET newest = -1", "UPDATE stacks SET id = 'x'",
    ])
  func nonsense(change: String) async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    try temporary.database().execute(change)
    let error = await #expect(throws: RegistryError.self) { try await temporary.store.stacks() }
    guard case .damaged = error else {
      Issue.record("\(error as Any)")
      return
    }
    await #expect(throws: RegistryError.self) {
      try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
    }
    #expect(try temporary.count("alerts") == 0)
  }

  @Test("a key that is not the store's is refused, and the file is not changed by a byte")
  func wrongKey() async throws {
    let (folder, _) = try await Self.closedStore()
    let before = try folder.octets("wake.sqlite")
    let wrong = SecretOctets([UInt8](repeating: 8, count: 32))
    let error = try #require(throws: RegistryError.self) {
      try TemporaryStore.open(folder, serviceKey: wrong)
    }
    guard case .serviceKeyUnusable(let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(reason.contains(folder.file("wake.sqlite")))
    #expect(try folder.octets("wake.sqlite") == before)
  }

  @Test(
    "a store that is too large to be checked in time opens, and the end of the check says that it is damaged")
  func checkGoesOn() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    for number in 0..<50 { _ = try await temporary.register(stack, subscription: .at("\(number)")) }
    await temporary.store.close()
    let whole = try Self.open(temporary.folder, options: StoreOptions(checkMilliseconds: 0))
    try await whole.checked()
    await whole.close()

    // Half of the pages in the middle of the file are something else.
    let handle = try #require(FileHandle(forUpdatingAtPath: temporary.folder.file("wake.sqlite")))
    let size = try handle.seekToEnd()
    try handle.seek(toOffset: size / 8192 * 4096)
    try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size / 4)))
    try handle.close()
    #expect(throws: RegistryError.self) { try Self.open(temporary.folder) }
    let path = temporary.folder.file("wake.sqlite")
    do throws(RegistryError) {
      let store = try Self.open(temporary.folder, options: StoreOptions(checkMilliseconds: 0))
      await #expect(throws: RegistryError.damaged(path)) { try await store.checked() }
      await store.close()
    } catch {
      // The damage was met before the check was over.
      #expect(error == .damaged(path))
    }
  }

  @Test("a change that was cut off by a power cut is taken back at the next opening")
  func hotJournal() async throws {
    let (folder, stack) = try await Self.closedStore()
    let database = try Database(
      path: folder.file("wake.sqlite"), mode: .readWrite, busyTimeoutMilliseconds: 1_000)
    // So much that SQLite writes into the file before the end of the transaction, as a restore's preparation may.
    try database.execute(
      """
      PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN; CREATE TABLE filler (a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO filler SELECT randomblob(4000) FROM n;
      """)
    let after = try TemporaryFolder()
    for name in ["wake.sqlite", "wake.sqlite-journal"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: after.file(name))
    }
    let store = try Self.open(after)
    #expect(try await store.stacks().map(\.id) == [stack])
    await store.close()
    #expect(try after.names() == ["wake.sqlite"])
    database.rollBack()
  }

  @Test("a migration that fails leaves the old version as it was; one that works keeps what is there")
  func migration() async throws {
    let (folder, stack) = try await Self.closedStore()
    let before = try folder.octets("wake.sqlite")
    let known = Schema.migrations.count
    var options = StoreOptions()
    options.migrations =
      Schema.migrations + [
        "CREATE TABLE later (a) STRICT; INSERT INTO nowhere VALUES (1);"
      ]
    #expect(throws: RegistryError.self) { try Self.open(folder, options: options) }
    let old = try Self.open(folder)
    #expect(try await old.stacks().map(\.id) == [stack])
    await old.close()
    #expect(try folder.octets("wake.sqlite") == before)

    options.migrations =
      Schema.migrations + ["ALTER TABLE stacks ADD COLUMN note TEXT;", "CREATE TABLE b (a);"]
    let new = try Self.open(folder, options: options)
    #expect(!new.didCreate)
    #expect(try await new.stacks().map(\.id) == [stack])
    await new.close()
    #expect(throws: RegistryError.newerSchema(found: known + 2, known: known)) { try Self.open(folder) }
  }

  @Test("a wrong key starts no migration")
  func migrationNeedsKey() async throws {
    let (folder, _) = try await Self.closedStore()
    var options = StoreOptions()
    options.migrations = Schema.migrations + ["CREATE TABLE b (a);"]
    let wrong = SecretOctets([UInt8](repeating: 8, count: 32))
    #expect(throws: RegistryError.self) {
      try TemporaryStore.open(folder, serviceKey: wrong, options: options)
    }
    _ = try Self.open(folder)
  }

  @Test("a store that is closed answers nothing more")
  func closed() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    await store.close()
    await store.close()
    await #expect(throws: RegistryError.closed) { try await store.stacks() }
    await #expect(throws: RegistryError.closed) { try await store.check() }
    await #expect(throws: RegistryError.closed) {
      try await store.addStack(id: nil, label: "a", kinds: [], hookTokenName: "core", at: 0)
    }
  }

  @Test("closing finishes what is queued")
  func draining() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do throws(RegistryError) {
            _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
          } catch .closed {}
        }
      }
      group.addTask { await temporary.store.close() }
      try await group.waitForAll()
    }
    let reopened = try Self.open(temporary.folder)
    let newest = try #require(try await reopened.stack(stack)?.newest.number)
    let kept = try await reopened.alerts(of: stack, after: nil, limit: 1_000).alerts.map(\.id.number)
    #expect(kept == Array(1..<(newest + 1)))
  }
}
