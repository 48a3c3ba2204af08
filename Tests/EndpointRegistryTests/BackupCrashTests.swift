import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing

@testable import EndpointRegistry

@Suite("A backup that is interrupted")
struct BackupCrashTests {
  /// The stages of the work, as a test names them.
  static let stages = ["copying", "cleaning", "packing", "publishing"]

  private static func backUp(
    _ folder: String, replacing: Bool, progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws {
    let store = try SQLiteStore.open(
      at: "\(folder)/wake.sqlite", serviceKey: TemporaryStore.serviceKey, create: false, random: .system)
    _ = try await store.backUp(
      to: "\(folder)/backup", replacing: replacing, key: nil, at: 0, random: .system, progress: progress)
    await store.close()
  }

  private static func killed(in folder: String, at stage: String, replacing: Bool) async throws {
    try await backUp(folder, replacing: replacing) { progress in
      if "\(progress)".hasPrefix(stage) { kill(getpid(), SIGKILL) }
    }
  }

  @Test(
    "the file is absent after kill -9 at any stage, and the next run leaves nothing of it", arguments: stages)
  func absent(stage: String) async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    let path = temporary.folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, stage = stage as String] in
      try await BackupCrashTests.killed(in: path, at: stage, replacing: false)
    }
    #expect(try !temporary.folder.names().contains("backup"))
    try await temporary.backUp()
    try BackupReader(temporary.folder.file("backup")).verify()
    #expect(try temporary.folder.names().filter { $0.hasPrefix("backup") } == ["backup"])
  }

  @Test("the file that was there stays whole after kill -9 at any stage", arguments: stages)
  func stays(stage: String) async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    let before = try await temporary.backUp()
    let path = temporary.folder.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, stage = stage as String] in
      try await BackupCrashTests.killed(in: path, at: stage, replacing: true)
    }
    #expect(try temporary.folder.octets("backup") == before)
  }

  /// Backs up where no file may grow beyond `limit`, and must fail.
  private static func outOfSpace(in folder: String, limit: Int) async throws {
    signal(SIGXFSZ, SIG_IGN)
    var bound = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &bound) == 0)
    await #expect(throws: RegistryError.self) { try await backUp(folder, replacing: true) }
  }

  @Test("where a file cannot grow, the old backup stays and nothing lies beside it")
  func noSpace() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    for _ in 0..<20 { _ = try await temporary.store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0) }
    let before = try await temporary.backUp()
    let store = try Backups.part(.store, of: before).count
    // Room for a page, for all but the last page of the copy, and for the database but not for the file around it.
    for limit in [4_096, store - 4_096, store] {
      let path = temporary.folder.path
      await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
        try await BackupCrashTests.outOfSpace(in: path, limit: limit)
      }
      #expect(try temporary.folder.octets("backup") == before)
      #expect(try temporary.folder.names().filter { $0.hasPrefix("backup") } == ["backup"])
    }
  }

  @Test("a folder that is not there, and a place where nothing may be made, are errors of the file system")
  func noFolder() async throws {
    let temporary = try TemporaryStore()
    for (place, number) in [("no/backup", ENOENT), ("wake.sqlite/backup", ENOTDIR)] {
      let error = await #expect(throws: RegistryError.self) { try await temporary.backUp(place) }
      guard case .file(number, _) = error else {
        Issue.record("\(error as Any)")
        return
      }
    }
  }

  @Test("a link that somebody laid under the temporary name is not followed")
  func link() async throws {
    let temporary = try TemporaryStore()
    let victim = temporary.folder.file("victim")
    try Backups.write([1, 2, 3], victim)
    try FileManager.default.createSymbolicLink(
      atPath: temporary.folder.file("backup.part"), withDestinationPath: victim)
    await #expect(throws: RegistryError.self) { try await temporary.backUp() }
    for name in ["backup.part-copy", "backup.part-store"] {
      try FileManager.default.createSymbolicLink(
        atPath: temporary.folder.file(name), withDestinationPath: victim)
    }
    try FileManager.default.removeItem(atPath: temporary.folder.file("backup.part"))
    try await temporary.backUp()
    #expect(try temporary.folder.octets("victim") == [1, 2, 3])
  }
}
