import CryptoPrimitives
import Foundation
import KindCatalogue
import TestSupport
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Stores of earlier schemas")
struct MigrationTests {
  /// What a fixture's companion file says is in it.
  private struct Content: Decodable {
    struct Stack: Decodable {
      let hookToken: String
      let vapidPublicKey: String
      let newest: String
    }
    struct Device: Decodable {
      let device: String
      let stack: String
      let token: String
      let label: String?
      let state: String
      let muted: [String]
      let temporary: Bool
    }
    struct Revoked: Decodable {
      let device: String
      let token: String
    }
    let stacks: [String: Stack]
    let openPairing: String
    let devices: [Device]
    let revoked: Revoked
    let attempts: Int
    /// An unanswered receipt, from schema 2 on.
    struct Receipt: Decodable {
      let device: String
      let w: String
    }
    let receipt: Receipt?
    /// A cursor from before a restore, from schema 2 on.
    let pastCursor: String?
  }

  /// Every schema but the newest has a fixture.
  static let released = Array(1..<Schema.migrations.count)

  private static func fixture(_ version: Int) throws -> (TemporaryFolder, SecretOctets, Content) {
    let folder = try TemporaryFolder()
    let store = URL(fileURLWithPath: folder.file("wake.sqlite"))
    try Fixtures.data("store/schema-\(version).sqlite").write(to: store)
    let keyFile = folder.file("service.key")
    try Fixtures.data("store/service.key").write(to: URL(fileURLWithPath: keyFile))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    let content = try JSONDecoder().decode(
      Content.self, from: Fixtures.data("store/schema-\(version).json"))
    return (folder, try ServiceKeySource.file(keyFile).load(), content)
  }

  /// A store of that schema in a folder of its own, its service key, and the ids of its stacks.
  static func store(_ version: Int) throws -> (TemporaryFolder, SecretOctets, [String]) {
    let (folder, key, content) = try fixture(version)
    return (folder, key, Array(content.stacks.keys))
  }

  @Test("a store of every released schema opens and holds what it held", arguments: released)
  func opens(version: Int) async throws {
    let (folder, key, content) = try Self.fixture(version)
    let store = try TemporaryStore.open(folder, create: false, serviceKey: key)
    #expect(!store.didCreate)
    for (id, expected) in content.stacks {
      let named = try #require(StackID(id))
      let stack = try #require(try await store.stack(named))
      #expect(stack.vapidPublicKey == expected.vapidPublicKey)
      #expect(stack.newest.text == expected.newest)
      let hook = try #require(Token(expected.hookToken))
      #expect(try await store.credential(for: hook, at: 0) == .hook(stack.id))
      let alerts = try await store.alerts(of: stack.id, after: nil, limit: 100)
      #expect(alerts.alerts.count == Int(stack.newest.number))
      #expect(alerts.alerts.allSatisfy { !$0.isFaulty && $0.ref != nil })
    }
    for expected in content.devices {
      let named = try #require(DeviceID(expected.device))
      let device = try #require(try await store.device(named))
      let token = try #require(Token(expected.token))
      #expect(try await store.credential(for: token, at: 0) == .device(device.id, device.stack))
      #expect(device.stack.text == expected.stack && device.label == expected.label)
      // Up to schema 3 nobody wrote down when a pause ends: it is over.
      let state = expected.state == "held" ? "undelivered" : expected.state
      #expect(device.state(at: 0).rawValue == state && device.temporary == expected.temporary)
      #expect(device.muted.map(\.name) == expected.muted)
      #expect(try await store.wakeTarget(device.id)?.subscription.endpoint.origin == device.pushServer)
    }
    let revoked = try #require(Token(content.revoked.token))
    guard case .revoked? = try await store.credential(for: revoked, at: 0) else {
      Issue.record("a revoked token is not told from an unknown one")
      return
    }
    let open = try #require(Token(content.openPairing))
    guard case .pairing(_, .open)? = try await store.credential(for: open, at: 0) else {
      Issue.record("the open code is not known")
      return
    }
    let attempts = try await store.attempts(AttemptFilter(), before: nil, limit: 100)
    #expect(attempts.count == content.attempts)
    await store.close()
  }

  @Test("nobody is woken by a step, and what is raised after it wakes all", arguments: released)
  func wakesNobody(version: Int) async throws {
    let (folder, key, content) = try Self.fixture(version)
    let store = try TemporaryStore.open(folder, create: false, serviceKey: key)
    #expect(try await store.stacksToNudge() == [])
    let rules = WakeRules(windowMilliseconds: 30_000, freshMilliseconds: 86_400_000)
    for id in content.stacks.keys {
      let stack = try #require(StackID(id))
      let before = try await store.pendingWakes(of: stack, rules: rules, after: nil, limit: 100, at: 0)
      #expect(before.entries.isEmpty && before.next == nil)
      let raised = try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0)
      #expect(raised.wakes && raised.deviceCount > 0)
      let after = try await store.pendingWakes(of: stack, rules: rules, after: nil, limit: 100, at: 0)
      #expect(after.entries.count == raised.deviceCount)
      #expect(
        after.entries.allSatisfy { $0.due?.count == 1 && $0.due?.last == raised.id && $0.target != nil })
    }
    await store.close()
  }

  @Test("receipts and cursors from before a step are still good", arguments: released)
  func receipts(version: Int) async throws {
    let (folder, key, content) = try Self.fixture(version)
    let store = try TemporaryStore.open(folder, create: false, serviceKey: key)
    #expect(version == 1 || (content.receipt != nil && content.pastCursor != nil))
    if let receipt = content.receipt {
      let device = try #require(DeviceID(receipt.device))
      try await store.receive(receipt.w, from: device, at: 42)
      #expect(try await store.device(device)?.lastReceiptAt == 42)
    }
    if let cursor = content.pastCursor {
      let stack = try #require(StackID("fixture-home"))
      #expect(try await store.alerts(of: stack, after: cursor, limit: 10).gap == nil)
    }
    await store.close()
  }

  @Test("an older store is led nowhere unless that is asked for, and stays as it is", arguments: released)
  func untouched(version: Int) async throws {
    let (folder, key, _) = try Self.fixture(version)
    let before = try folder.octets("wake.sqlite")
    let error = RegistryError.olderSchema(found: version, known: Schema.migrations.count)
    #expect(throws: error) {
      try TemporaryStore.open(
        folder, create: false, serviceKey: key, options: StoreOptions(migrates: false))
    }
    #expect(try folder.octets("wake.sqlite") == before)
  }

  @Test("a store that took every step is like one that was made just now", arguments: released)
  func sameSchema(version: Int) async throws {
    func schema(_ path: String) throws -> [String] {
      try Database(path: path, mode: .readWrite, busyTimeoutMilliseconds: 1_000)
        .all("SELECT name, sql FROM sqlite_schema ORDER BY name") {
          "\($0.text(0)) \($0.optionalText(1) ?? "")"
        }
    }
    let (folder, key, _) = try Self.fixture(version)
    await (try TemporaryStore.open(folder, create: false, serviceKey: key)).close()
    let fresh = try TemporaryStore()
    #expect(try schema(folder.file("wake.sqlite")) == schema(fresh.store.path))
  }
}
