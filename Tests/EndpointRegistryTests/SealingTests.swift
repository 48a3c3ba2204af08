import CryptoPrimitives
import Foundation
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

@Suite("What the files give away")
struct SealingTests {
  @Test("no token, endpoint, key, event, ref or alert stands in any file of the store")
  func planted() async throws {
    let temporary = try TemporaryStore()
    let store = temporary.store
    let added = try await temporary.stack("Planted label")
    let stack = added.stack.id
    let client = ClientID.minted(.system)
    let primary = try PushSubscription.at("plantedprimarypath?plantedquery")
    let registered = try await temporary.register(stack, client: client, subscription: primary)
    let standIn = try PushSubscription.at("plantedstandinpath")
    _ = try await store.updateDevice(
      registered.device.id, DeviceChange(subscription: .set(standIn), temporary: true), at: 0)
    let code = try await temporary.code(for: stack)
    let alert = NewAlert(
      kind: .problem, event: "planted.event", ref: "planted-ref", moment: .onset,
      alert: Array(#"{"planted":"alert"}"#.utf8))
    _ = try await store.appendAlert(alert, to: stack, at: 0)
    _ = try await store.beginAttempts(
      [
        NewAttempt(
          stack: stack, device: registered.device.id, receipt: "PlantedReceiptAAAAAAAA", purpose: .test)
      ],
      at: 0)
    let vapid = try await temporary.target(stack).vapidKey
    // Something removed, which SQLite may leave lying about.
    let removed = try PushSubscription.at("plantedremovedpath")
    let second = try await temporary.register(stack, subscription: removed)
    try await store.removeDevice(second.device.id, at: 0)

    var secrets: [(String, [UInt8])] = []
    func plant(_ name: String, _ text: String) { secrets.append((name, Array(text.utf8))) }
    for token in [added.hookToken, registered.token, second.token, code] {
      plant("token", token.text)
      plant("token's secret", String(token.text.dropFirst(4)))
      secrets.append(("token's octets", try #require(Base64URL.decode(String(token.text.dropFirst(4))))))
    }
    for subscription in [primary, standIn, removed] {
      plant("endpoint", String(subscription.endpoint.url.dropFirst("https://push.example/".count)))
      plant("p256dh", subscription.keys.p256dh)
      plant("auth", subscription.keys.auth)
      secrets.append(("p256dh's octets", Array(subscription.keys.uaPublic.uncompressed.dropFirst())))
      secrets.append(("auth's octets", subscription.keys.authSecret.octets))
    }
    plant("client", client.text)
    secrets.append(("VAPID scalar", vapid.privateScalar.octets))
    plant("VAPID scalar's text", Base64URL.encode(vapid.privateScalar.octets))
    plant("event", "planted.event")
    plant("ref", "planted-ref")
    plant("alert", #""planted":"alert""#)
    plant("receipt", "PlantedReceipt")
    secrets.append(("service key", TemporaryStore.serviceKey.octets))

    func expectNone() throws {
      for name in try temporary.folder.names() {
        let content = Data(try temporary.folder.octets(name))
        for (what, octets) in secrets {
          #expect(content.range(of: Data(octets)) == nil, "\(what) in \(name)")
        }
      }
    }
    #expect(try temporary.folder.names().contains("wake.sqlite-wal"))
    try expectNone()
    // The search finds what is there.
    #expect(Data(try temporary.folder.octets("wake.sqlite-wal")).range(of: Data("Planted label".utf8)) != nil)
    await store.close()
    try expectNone()
  }

  @Test("sealed columns that are swapped between rows, columns or slots do not open")
  func swapped() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let one = try await temporary.register(stack, subscription: .at("one")).device.id
    let two = try await temporary.register(stack, subscription: .at("two")).device.id
    let database = try temporary.database()
    for column in ["endpoint", "p256dh", "auth"] {
      try database.execute("SAVEPOINT swap")
      try database.execute(
        """
        CREATE TEMP TABLE pair AS SELECT device, \(column) AS value FROM subscriptions;
        UPDATE subscriptions SET \(column) = (SELECT value FROM pair WHERE pair.device <> subscriptions.device);
        DROP TABLE temp.pair;
        RELEASE swap;
        """)
      #expect(try await Self.faulty(temporary.store, stack) == [one, two].sorted(), "\(column)")
      try database.execute(
        """
        CREATE TEMP TABLE pair AS SELECT device, \(column) AS value FROM subscriptions;
        UPDATE subscriptions SET \(column) = (SELECT value FROM pair WHERE pair.device <> subscriptions.device);
        DROP TABLE temp.pair;
        """)
      #expect(try await Self.faulty(temporary.store, stack) == [])
    }
    // From one column to another of the same row.
    try database.execute("UPDATE subscriptions SET auth = p256dh")
    #expect(try await Self.faulty(temporary.store, stack) == [one, two].sorted())
  }

  private static func faulty(_ store: SQLiteStore, _ stack: StackID) async throws -> [DeviceID] {
    var faulty: [DeviceID] = []
    for device in try await store.devices(stack: stack, after: nil, limit: 10) {
      do throws(RegistryError) {
        _ = try await store.wakeTarget(device.id)
      } catch .sealBroken {
        faulty.append(device.id)
      }
    }
    return faulty
  }

  @Test("a stand-in's sealed columns do not open as the primary's")
  func slots() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    let device = try await temporary.register(stack, subscription: .at("one"), temporary: true).device.id
    #expect(try await temporary.target(stack).device == device)
    try temporary.database().execute("UPDATE subscriptions SET is_temporary = 0")
    #expect(try await Self.faulty(temporary.store, stack) == [device])
  }

  @Test("a VAPID key of one stack does not sign for another")
  func vapidKeys() async throws {
    let temporary = try TemporaryStore()
    let one = try await temporary.stack("one").stack
    let two = try await temporary.stack("two").stack
    let device = try await temporary.register(one.id, subscription: .at("one")).device.id
    try temporary.database().run(
      """
      UPDATE vapid_keys SET private_key = (SELECT private_key FROM vapid_keys WHERE public_key = ?)
      WHERE public_key = ?
      """, .text(two.vapidPublicKey), .text(one.vapidPublicKey))
    #expect(try await Self.faulty(temporary.store, one.id) == [device])
  }

  @Test("an alert whose sealed members are moved is told as faulty, and its page is read")
  func alerts() async throws {
    let temporary = try TemporaryStore()
    let stack = try await temporary.stack().stack.id
    for ref in ["a", "b", "c"] {
      _ = try await temporary.store.appendAlert(
        NewAlert(kind: .problem, event: "e", ref: ref, alert: Array("{}".utf8)), to: stack, at: 0)
    }
    for column in ["event", "ref", "alert"] {
      try temporary.database().execute(
        "UPDATE alerts SET \(column) = (SELECT \(column) FROM alerts WHERE number = 1) WHERE number = 2")
      let alerts = try await temporary.store.alerts(of: stack, after: nil, limit: 10).alerts
      #expect(alerts.map(\.isFaulty) == [false, true, false])
    }
    let broken = try await temporary.store.alerts(of: stack, after: nil, limit: 10).alerts[1]
    #expect(broken.event == nil && broken.ref == nil && broken.alert == nil && broken.kind == .problem)
  }

  @Test("what one bit was changed in, what is cut, and what is empty does not open")
  func damage() throws {
    let keys = try StoreKeys(dataKey: SecretOctets([UInt8](repeating: 1, count: 32)))
    let other = try StoreKeys(dataKey: SecretOctets([UInt8](repeating: 2, count: 32)))
    let place = SealedPlace("table", "row", "column")
    let sealed = try keys.seal(Array("text".utf8), place, random: .system)
    #expect(try keys.openText(sealed, place) == "text")
    #expect(sealed.count == 12 + 4 + 16)
    #expect(try keys.seal(Array("text".utf8), place, random: .system) != sealed)
    let broken = RegistryError.sealBroken("table/column")
    #expect(throws: broken) { try other.open(sealed, place) }
    for place in [
      SealedPlace("other", "row", "column"), SealedPlace("table", "other", "column"),
      SealedPlace("table", "row", "other"),
    ] {
      #expect(throws: RegistryError.sealBroken(place.column)) { try keys.open(sealed, place) }
    }
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: broken) { try keys.open(changed, place) }
    }
    for count in 0..<sealed.count {
      #expect(throws: broken) { try keys.open(Array(sealed.prefix(count)), place) }
    }
    let notText = try keys.seal([0xFF], place, random: .system)
    #expect(throws: broken) { try keys.openText(notText, place) }
  }

  @Test("errors carry no value that was bound")
  func errors() async throws {
    let temporary = try TemporaryStore()
    let error = await #expect(throws: RegistryError.self) {
      try await temporary.store.write { session throws(RegistryError) in
        try session.database.run("INSERT INTO stacks (id, label) VALUES ('x', ?)", .text("planted"))
      }
    }
    let text = "\(try #require(error))"
    #expect(text.contains("INSERT INTO stacks"))
    #expect(!text.contains("planted"))
  }
}
