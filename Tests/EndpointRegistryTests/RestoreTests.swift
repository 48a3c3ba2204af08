import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("Restoring a backup")
struct RestoreTests {
  @Test(
    "what was raised before the backup wakes nobody after a restore, and what is raised then wakes all at once"
  )
  func pending() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let told = try await temporary.register(stack, subscription: .at("one")).device.id
    for at in [0, 1] as [Int64] {
      try await temporary.raise(stack, at: TemporaryStore.now + at)
      try await temporary.fanOut(stack, at: TemporaryStore.now + at)
    }
    let untold = try await temporary.register(stack, subscription: .at("two")).device.id
    try await temporary.raise(stack, at: TemporaryStore.now + 2)
    #expect(try await temporary.page(stack, at: TemporaryStore.now + 2).entries.count == 2)
    _ = try await temporary.backUp()
    // Told and raised after the backup, which is lost.
    try await temporary.fanOut(stack, at: TemporaryStore.now + 2)
    try await temporary.raise(stack, at: TemporaryStore.now + 3)
    await temporary.store.close()
    try temporary.folder.putKey()
    try temporary.folder.restore(replacing: true)
    let restored = try temporary.another()
    #expect(try await restored.stacksToNudge() == [])
    #expect(try await temporary.page(stack, at: TemporaryStore.now + 4, store: restored).entries.isEmpty)
    let next = try await restored.appendAlert(NewAlert(kind: .problem), to: stack, at: TemporaryStore.now + 4)
    #expect(next.id.number == 4)
    let page = try await temporary.page(stack, at: TemporaryStore.now + 4, store: restored)
    #expect(page.entries.map(\.device) == [told, untold].sorted())
    for entry in page.entries {
      #expect(entry.due == AlertSpan(first: next.id, last: next.id, count: 1) && entry.windowEndsAt == nil)
    }
    await restored.close()
  }

  private static func alert(_ ref: String) -> NewAlert {
    NewAlert(kind: .problem, ref: ref, moment: .onset, alert: Array("{}".utf8))
  }

  @Test("stacks, devices, tokens, alerts and their ids are those of the backup, also on another machine")
  func kept() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let added = try await temporary.stack()
    let stack = added.stack.id
    let phone = try await temporary.register(stack, subscription: .at("one"), label: "phone")
    let admin = try await store.addAdminToken("me", at: 0)
    let revoked = try await temporary.register(stack)
    try await store.removeDevice(revoked.device.id, at: 0)
    for number in 1...3 { _ = try await store.appendAlert(Self.alert("\(number)"), to: stack, at: 0) }
    let alerts = try await store.alerts(of: stack, after: nil, limit: 10).alerts
    try await temporary.backUp()

    let machine = try TemporaryFolder()
    try machine.putKey()
    let restored = try machine.restore(from: temporary.folder)
    #expect(restored.aside == nil && !restored.didInstallKey)
    #expect(try machine.names() == ["service.key", "wake.sqlite"])
    #expect(try machine.mode("wake.sqlite") == 0o600)
    let other = try TemporaryStore.open(machine, create: false)
    #expect(try await other.stacks().map(\.id) == [stack])
    #expect(try await other.stack(stack)?.vapidPublicKey == added.stack.vapidPublicKey)
    #expect(try await other.device(phone.device.id) == store.device(phone.device.id))
    #expect(try await other.credential(for: phone.token, at: 0) == .device(phone.device.id, stack))
    #expect(try await other.credential(for: added.hookToken, at: 0) == .hook(stack))
    #expect(try await other.credential(for: admin, at: 0) == .admin)
    #expect(try await other.credential(for: revoked.token, at: 0) == .revoked(revoked.device.id, stack))
    #expect(try await other.alerts(of: stack, after: nil, limit: 10).alerts == alerts)
    let target = try #require(try await other.wakeTarget(phone.device.id))
    #expect(target.subscription.endpoint.url == "https://push.example/one")
    await other.close()
  }

  @Test("numbers go on in a new epoch; old cursors hold up to the restored newest, later ones are ahead")
  func epochs() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    for number in 1...3 {
      _ = try await temporary.store.appendAlert(Self.alert("\(number)"), to: stack, at: 0)
    }
    try await temporary.backUp()
    // Raised after the backup: lost with it.
    let lost = try await temporary.store.appendAlert(Self.alert("4"), to: stack, at: 0).id
    let old = lost.epoch
    await temporary.store.close()

    try temporary.folder.putKey()
    try temporary.folder.restore(replacing: true)
    let store = try TemporaryStore.open(temporary.folder, create: false)
    let new = try #require(try await store.stack(stack)?.newest)
    #expect(new.epoch != old && new.number == 3)
    func read(_ cursor: String) async throws -> (numbers: [Int64], gap: AlertGap.Reason?) {
      let page = try await store.alerts(of: stack, after: cursor, limit: 10)
      return (page.alerts.map(\.id.number), page.gap?.reason)
    }
    for (cursor, numbers, gap) in [
      ("\(old)-0", [1, 2, 3], nil), ("\(old)-2", [3], nil), ("\(old)-3", [], nil),
      (lost.text, [1, 2, 3], .ahead), ("\(new.epoch)-3", [], nil), ("\(new.epoch)-1", [2, 3], nil),
      ("\(new.epoch)-4", [1, 2, 3], .ahead), ("aaaaaaaa-1", [1, 2, 3], .unknown),
    ] as [(String, [Int64], AlertGap.Reason?)] {
      let answer = try await read(cursor)
      #expect(answer.numbers == numbers && answer.gap == gap, "\(cursor)")
    }
    // A repeat finds what was there before the backup, under the id that it had.
    let repeated = try await store.appendAlert(Self.alert("2"), to: stack, at: 0)
    #expect(repeated.isRepeat && repeated.id.text == "\(old)-2")
    let next = try await store.appendAlert(Self.alert("4"), to: stack, at: 0)
    #expect(!next.isRepeat && next.id.text == "\(new.epoch)-4")
    // The lost alert and the new one have the same number, and a reader of the lost one gets the new one.
    let resumed = try await read(lost.text)
    #expect(resumed.numbers == [1, 2, 3, 4] && resumed.gap == .ahead)
    #expect(try await read("\(old)-3").numbers == [4])
    await store.close()
  }

  @Test("a backup of a restored store is restored like any other: every epoch of the past is honoured")
  func again() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    await temporary.store.close()
    try temporary.folder.putKey()
    var ids: [AlertID] = []
    for round in 1...3 {
      let store = try TemporaryStore.open(temporary.folder, create: false)
      ids.append(try await store.appendAlert(Self.alert("\(round)"), to: stack, at: 0).id)
      _ = try await store.backUp(
        to: temporary.folder.file("backup"), replacing: true, key: nil, at: 0, random: .system)
      await store.close()
      try temporary.folder.restore(replacing: true, aside: "before-\(round)")
    }
    #expect(Set(ids.map(\.epoch)).count == 3 && ids.map(\.number) == [1, 2, 3])
    let store = try TemporaryStore.open(temporary.folder, create: false)
    for id in ids {
      let page = try await store.alerts(of: stack, after: id.text, limit: 10)
      #expect(page.gap == nil && page.alerts.map(\.id) == ids.filter { $0.number > id.number })
    }
    await store.close()
  }

  @Test("a store that is there is refused and not changed by a byte; when it is replaced, it stays beside")
  func existing() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack("old")
    try await temporary.backUp()
    _ = try await temporary.stack("new")
    await temporary.store.close()
    try temporary.folder.putKey()
    let before = try temporary.folder.octets("wake.sqlite")
    let path = temporary.folder.file("wake.sqlite")
    #expect(throws: RegistryError.backup(.storeExists, path: path)) { try temporary.folder.restore() }
    #expect(try temporary.folder.octets("wake.sqlite") == before)

    let restored = try temporary.folder.restore(replacing: true)
    #expect(restored.aside == temporary.folder.file("before"))
    #expect(try temporary.folder.names() == ["backup", "before", "service.key", "wake.sqlite"])
    for (name, labels) in [("wake.sqlite", ["old"]), ("before", ["new", "old"])] {
      let store = try SQLiteStore.open(
        at: temporary.folder.file(name), serviceKey: TemporaryStore.serviceKey, create: false, random: .system
      )
      #expect(try await store.stacks().map(\.label).sorted() == labels)
      await store.close()
    }
  }

  @Test("the log that a killed server left goes with the old store, and never into the restored one")
  func log() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack("old")
    try await temporary.backUp()
    _ = try await temporary.stack("new")
    // What kill -9 leaves: the store as it is while it is open.
    let machine = try TemporaryFolder()
    for name in ["wake.sqlite", "wake.sqlite-wal"] {
      try Backups.write(temporary.folder.octets(name), machine.file(name))
    }
    try machine.putKey()
    try machine.restore(from: temporary.folder, replacing: true)
    #expect(try machine.names() == ["before", "service.key", "wake.sqlite"])
    for (name, labels) in [("wake.sqlite", ["old"]), ("before", ["new", "old"])] {
      let store = try SQLiteStore.open(
        at: machine.file(name), serviceKey: TemporaryStore.serviceKey, create: false, random: .system)
      #expect(try await store.stacks().map(\.label).sorted() == labels)
      await store.close()
    }
  }

  @Test("what lies there and is no store, or a damaged one, or only its log, is put aside as it is")
  func damaged() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    try await temporary.backUp()
    let whole = try temporary.folder.octets("wake.sqlite")
    for content in [[], Array("hello".utf8), Array(whole.prefix(100)) + [UInt8](repeating: 7, count: 9_000)] {
      let machine = try TemporaryFolder()
      try machine.putKey()
      try Backups.write(content, machine.file("wake.sqlite"))
      try Backups.write([1, 2, 3], machine.file("wake.sqlite-wal"))
      try machine.restore(from: temporary.folder, replacing: true)
      #expect(try machine.octets("before") == content)
      let store = try TemporaryStore.open(machine, create: false)
      #expect(try await store.stacks().count == 1)
      await store.close()
    }
    let machine = try TemporaryFolder()
    try machine.putKey()
    try Backups.write([1, 2, 3], machine.file("wake.sqlite-wal"))
    try machine.restore(from: temporary.folder)
    #expect(try machine.octets("before-wal") == [1, 2, 3])
  }

  @Test("a store that another process has open is not replaced")
  func open() async throws {
    let temporary = try TemporaryStore()
    _ = try await temporary.stack()
    try await temporary.backUp()
    try temporary.folder.putKey()
    #expect(throws: RegistryError.busy) { try temporary.folder.restore(replacing: true) }
    #expect(try await temporary.store.stacks().count == 1)
    #expect(try !temporary.folder.names().contains("before"))
  }

  @Test("with the tokens revoked every phone is told to pair again, and no other token is known")
  func revoked() async throws {
    let temporary = try TemporaryStore()
    let added = try await temporary.stack()
    let stack = added.stack.id
    let phone = try await temporary.register(stack, subscription: .at("one"))
    let admin = try await temporary.store.addAdminToken("me", at: 0)
    let code = try await temporary.code(for: stack)
    let alert = try await temporary.store.appendAlert(Self.alert("1"), to: stack, at: 0).id
    try await temporary.backUp()
    await temporary.store.close()
    try temporary.folder.putKey()
    try temporary.folder.restore(replacing: true, revokesTokens: true)
    let store = try TemporaryStore.open(temporary.folder, create: false)
    #expect(try await store.credential(for: phone.token, at: 0) == .revoked(phone.device.id, stack))
    for token in [admin, added.hookToken, code] {
      #expect(try await store.credential(for: token, at: 0) == nil)
    }
    #expect(try await store.devices(stack: nil, after: nil, limit: 10) == [])
    #expect(try await store.appendAlert(NewAlert(kind: .problem), to: stack, at: 0).deviceCount == 0)
    #expect(try await store.alerts(of: stack, after: nil, limit: 10).alerts.first?.id == alert)
    _ = try await store.addHookToken("core", to: stack, at: 0)
    await store.close()
  }

  @Test("a backup of a newer schema is refused before anything is touched")
  func newerSchema() throws {
    let machine = try TemporaryFolder()
    let known = Schema.migrations.count
    let digest = Hex.encode(SHA256.digest([1]))
    let manifest = """
      {"schema":\(known + 1),"madeAtMilliseconds":1,"stacks":1,"devices":1,"alerts":1,\
      "parts":[{"name":"store","size":1,"sha256":"\(digest)"}]}
      """
    try Backups.write(Backups.sealed(manifest: manifest, parts: [1]), machine.file("backup"))
    #expect(throws: RegistryError.newerSchema(found: known + 1, known: known)) { try machine.restore() }
    #expect(try machine.names() == ["backup"])
  }

  @Test("a backup of every released schema is led to the newest", arguments: MigrationTests.released)
  func olderSchema(version: Int) async throws {
    let (folder, key, stacks) = try MigrationTests.store(version)
    let octets = try folder.octets("wake.sqlite")
    let contents = BackupContents(
      madeAt: 1, schema: version, stacks: 0, devices: 0, alerts: 0, hasKey: false)
    try Backups.write(octets, folder.file("plain"))
    do {
      let file = try DataFile(making: folder.file("backup"))
      try BackupWriter(contents: contents, store: folder.file("plain"), key: nil).write(to: file) { _ in }
    }
    try folder.restore(replacing: true)
    let store = try TemporaryStore.open(folder, create: false, serviceKey: key)
    #expect(try await store.stacks().map(\.id.text).sorted() == stacks.sorted())
    await store.close()
  }
}
