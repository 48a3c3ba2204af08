import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Several processes on one store")
struct ProcessTests {
  /// What `wake serve` and `wake stack add` do at a first start.
  private static func start(_ folder: String) throws -> SQLiteStore {
    let path = "\(folder)/wake.sqlite"
    let source = ServiceKeySource.file("\(folder)/service.key")
    let key = try source.loadOrCreate(storeExists: StoreFile.exists(at: path), random: .system)
    return try SQLiteStore.open(at: path, serviceKey: key, create: true, random: .system)
  }

  /// Leaves an empty file.
  private static func mark(_ path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
  }

  private static func firstStart(_ folder: String, label: String) async throws {
    let store = try start(folder)
    let stack = try await store.addStack(id: nil, label: label, kinds: [], hookTokenName: "core", at: 0).stack
    let token = try await store.addPairing(stack: stack.id, at: 0, expiresAt: 1)
    _ = try await store.register(
      Registration(pairing: token, client: .minted(.system), subscription: .at(label)), at: 0)
    if store.didCreate {
      try mark("\(folder)/created-by-\(label)")
    }
    await store.close()
  }

  @Test(
    "first starts of four processes at once end with one key and one store, which holds what each of them wrote"
  )
  func firstStarts() async throws {
    let folder = try TemporaryFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for label in ["a", "b", "c", "d"] {
        group.addTask {
          let path = folder.path
          await #expect(processExitsWith: .success) { [path = path as String, label = label as String] in
            try await ProcessTests.firstStart(path, label: label)
          }
        }
      }
      try await group.waitForAll()
    }
    let names = try folder.names()
    #expect(names.filter { $0.hasPrefix("created-by-") }.count == 1)
    #expect(names.filter { $0.hasPrefix("service.key") } == ["service.key"])
    let store = try Self.start(folder.path)
    #expect(!store.didCreate)
    let stacks = try await store.stacks()
    #expect(stacks.map(\.label).sorted() == ["a", "b", "c", "d"])
    for stack in stacks {
      let device = try #require(try await store.devices(stack: stack.id, after: nil, limit: 1).first)
      let target = try #require(try await store.wakeTarget(device.id), "what another process sealed opens")
      #expect(target.subscription.endpoint.url.hasSuffix("/\(stack.label)"))
    }
  }

  @Test("files have mode 0600 and folders 0700 where the umask is 0")
  func modes() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0)
      let store = try ProcessTests.start("\(path)/state/deep")
      _ = try await store.addStack(id: nil, label: "a", kinds: [], hookTokenName: "core", at: 0)
      for name in ["state", "state/deep"] { try ProcessTests.expectMode(0o700, "\(path)/\(name)") }
      for name in ["service.key", "wake.sqlite", "wake.sqlite-wal", "wake.sqlite-shm"] {
        try ProcessTests.expectMode(0o600, "\(path)/state/deep/\(name)")
      }
    }
  }

  private static func expectMode(_ mode: Int, _ path: String) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(path)")
  }

  @Test("a process that is killed while it writes loses nothing that it was answered, and holds nobody up")
  func killed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    let stack = StackID.minted(.system)
    let store = try Self.start(path)
    _ = try await store.addStack(id: stack, label: "a", kinds: [], hookTokenName: "core", at: 0)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, id = stack.text as String] in
      let store = try ProcessTests.start(path)
      let stack = try #require(StackID(id))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            while true {
              let id = try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0).id
              let file = "\(path)/answered-\(id.number)"
              try ProcessTests.mark(file)
              if id.number == 100 { kill(getpid(), SIGKILL) }
            }
          }
        }
        try await group.waitForAll()
      }
    }
    let answered = try folder.names().compactMap { name in
      name.hasPrefix("answered-") ? Int64(name.dropFirst("answered-".count)) : nil
    }
    #expect(answered.count >= 93)
    let newest = try #require(try await store.stack(stack)?.newest.number)
    let kept = try await store.alerts(of: stack, after: nil, limit: 1_000).alerts.map(\.id.number)
    #expect(kept == Array(1...newest))
    #expect(Set(answered).isSubset(of: kept))
    let next = try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0).id.number
    #expect(next == newest + 1)
  }
}
