import CryptoPrimitives
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Testing

extension Reliability {
  @Suite("A store that cannot be used")
  struct DamageTests {
    /// What was done to the state folder, and what the refusal has to name.
    struct Damage: Sendable, CustomTestStringConvertible {
      let testDescription: String
      /// One of these.
      let names: [String]
      let make: @Sendable (TemporaryFolder) throws -> Void

      init(
        _ description: String, names: String..., make: @escaping @Sendable (TemporaryFolder) throws -> Void
      ) {
        (testDescription, self.names, self.make) = (description, names, make)
      }
    }

    private static let store = "state/wake.sqlite"
    private static let key = "state/service.key"
    private static let page = 4_096
    private static let briefly = ["/usr/bin/timeout", "30"]

    static let damages: [Damage] =
      [
        Damage("cut in half", names: "damaged") { try cut($0, to: { $0 / 2 }) },
        Damage("cut in the middle of a page", names: "damaged") {
          try cut($0, to: { $0 - 10 * page + page / 2 })
        },
        Damage("cut to its head", names: "damaged") { try cut($0, to: { _ in page }) },
        Damage("empty", names: "not a store", "damaged") { try cut($0, to: { _ in 0 }) },
        Damage("garbage", names: "not a store", "damaged") { state in
          try overwrite(state, at: 0, with: RandomOctets.system(20 * page))
        },
        Damage("something else", names: "not a store", "damaged") { state in
          try Data("the notes of somebody\n".utf8).write(to: URL(fileURLWithPath: state.path(store)))
        },
        Damage("without a table", names: "lacks the table attempts") {
          try change($0, "DROP TABLE attempts")
        },
        Damage("without an index", names: "lacks the index devices_owed on devices(") {
          try change($0, "DROP INDEX devices_owed")
        },
        Damage("with an index of another column", names: "lacks the index devices_owed on devices(") {
          try change($0, "DROP INDEX devices_owed")
          try change($0, "CREATE INDEX devices_owed ON alerts(at)")
        },
        Damage("of an older schema, it says", names: "does not have the schema 3") {
          try change($0, "PRAGMA user_version = 3")
        },
        Damage("without a column", names: "lacks the column subscriptions.generation") {
          try change($0, "ALTER TABLE subscriptions RENAME COLUMN generation TO age")
        },
        Damage("key of another store", names: "service key") { state in
          try rewrite(state, key, "wake-service-key-1 \(Base64URL.encode(RandomOctets.system(32)))\n")
        },
        Damage("key cut short", names: "service.key") { state in
          try rewrite(state, key, String(try state.text(key).dropLast(8)))
        },
        Damage("key with a letter that is none", names: "service.key") { state in
          try rewrite(state, key, "!" + (try state.text(key).dropFirst()))
        },
        Damage("key of zeros", names: "service.key") { state in
          try rewrite(state, key, String(repeating: "\0", count: 64))
        },
      ] + overwritten

    /// One page after the other, so that no sort of page is left out.
    static let overwritten: [Damage] = (1...8).map { part in
      Damage("a page overwritten, \(part) of 8", names: "damaged") { state in
        let pages = try Data(contentsOf: URL(fileURLWithPath: state.path(store))).count / page
        // Not the first, where it says that it is a store; nor one that the log has anew. Each run takes others.
        let logged = try pagesOfLog(state)
        let range = 2 + (part - 1) * (pages - 1) / 8..<2 + part * (pages - 1) / 8
        let number = try #require(range.filter { !logged.contains($0) }.randomElement())
        try overwrite(state, at: (number - 1) * page, with: [UInt8](repeating: 0xA5, count: page))
      }
    }

    @Test(
      "is named in one line with exit code 4, and left as it is, with the log of a killed server beside it and without",
      arguments: damages, [false, true])
    func refused(damage: Damage, isKilled: Bool) async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      try await Self.filled(isKilled: isKilled).copy(to: state)
      try damage.make(state)
      let before = try Self.digests(state)
      let arguments = [["serve"], ["stack", "list"]]
      for words in arguments {
        // A server that starts all the same is ended, and has another code.
        let ended = try await Program.wake(words, state: state).launched(by: Self.briefly).run()
        #expect(ended.exitCode == 4, "\(words): \(ended.errors)")
        let lines = ended.errors.split(separator: "\n").filter { $0.hasPrefix("wake: ") }
        #expect(
          lines.count == 1 && damage.names.contains { lines[0].contains($0) }, "\(words): \(ended.errors)")
        #expect(try Self.digests(state) == before, "\(words)")
      }
    }

    @Test(
      "a log without an octet, which a power cut may leave, is none: the server starts, and nothing is lost")
    func emptyLog() async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      try await Self.filled(isKilled: false).copy(to: state)
      try Data().write(to: URL(fileURLWithPath: state.path("\(Self.store)-wal")))
      try await Server.with(state) { server in
        let listed = try await server.json("device", "list").array?.count
        let kept = try server.keptAlerts().count
        #expect(listed == Self.devices && kept == Self.alerts)
      }
    }

    @Test(
      "on a file system that is read-only is named, with exit code 4, and left as it is",
      .enabled(Comment(rawValue: Tools.noNamespace)) { await Tools.canMount }, arguments: [false, true])
    func readOnly(isKilled: Bool) async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      try await Self.filled(isKilled: isKilled).copy(to: state)
      let before = try Self.digests(state)
      let launcher =
        Self.briefly + [
          Tools.unshare, "-Urm", "/bin/sh", "-c",
          #"mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@""#, state.path("state"),
        ]
      for words in [["serve"], ["stack", "list"], ["stack", "add", "more"]] {
        let ended = try await Program.wake(words, state: state).launched(by: launcher).run()
        #expect(ended.exitCode == 4, "\(words): \(ended.errors)")
        #expect(ended.errors.contains("read-only"), "\(words): \(ended.errors)")
      }
      #expect(try Self.digests(state) == before)
    }

    @Test(
      "a VAPID key that somebody broke in the store is an error, and never handed to anybody",
      arguments: [
        "''", "'BAAA'", "substr(public_key, 2)", "public_key || 'A'",
        "'" + String(repeating: "A", count: 87) + "'",
      ])
    func malformedKey(value: String) async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let pushServer = try StandInPushServer()
      try await Server.with(state, ["WAKE_PUSH_ALLOW": pushServer.origin]) { server in
        let phone = try await server.phone(pushServer, stack: "home")
        let path = "/v1/stacks/\(phone.stack)"
        let whole = try await server.ask("GET", path, token: phone.token)
        let key = try #require(whole.json["vapidPublicKey"]?.string)
        _ = try StoreReading.texts("UPDATE vapid_keys SET public_key = \(value)", in: state.path(Self.store))
        let code = try await server.admin("POST", "/stacks/\(phone.stack)/pairings", json: [:])
        let asked = [
          code, try await server.ask("GET", path, token: phone.token),
          try await server.ask("GET", path, token: phone.hook),
        ]
        for reply in asked {
          #expect(
            reply.status == 500 || reply.json["vapidPublicKey"]?.string ?? key == key, "\(reply.json.text)")
        }
        let stream = try await HTTPClient().stream(
          "GET", "http://\(server.address)\(path)/events",
          headers: [("Authorization", "Bearer \(phone.token)")], idleSeconds: 5)
        let hello = try await stream.next().map { String(decoding: $0, as: UTF8.self) } ?? ""
        stream.cancel()
        #expect(stream.status == 500 || hello.contains(key) || !hello.contains("vapidPublicKey"), "\(hello)")
      }
      await pushServer.stop()
    }

    private static let devices = 40
    private static let alerts = 30

    /// What stands in a state folder.
    private struct Files {
      /// Octets, not `Data`: the leak sanitizer does not see who holds one of those.
      let contents: [String: [UInt8]]

      init(of state: TemporaryFolder) throws {
        var contents: [String: [UInt8]] = [:]
        for name in [store, "\(store)-wal", key] {
          contents[name] = (try? Data(contentsOf: URL(fileURLWithPath: state.path(name)))).map { Array($0) }
        }
        self.contents = contents
      }

      func copy(to state: TemporaryFolder) throws {
        try FileManager.default.createDirectory(
          atPath: state.path("state"), withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o700])
        for (name, octets) in contents {
          try Data(octets).write(to: URL(fileURLWithPath: state.path(name)))
          try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: state.path(name))
        }
      }
    }

    /// Made once for all tests.
    private static let closed = Task { try await files(isKilled: false) }
    private static let killed = Task { try await files(isKilled: true) }

    private static func filled(isKilled: Bool) async throws -> Files {
      try await (isKilled ? killed : closed).value
    }

    /// A store with something on every sort of page; where the server was killed, a part of it in the log alone.
    private static func files(isKilled: Bool) async throws -> Files {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let server = try await Server(state)
      let added = try await server.json("stack", "add", "home")
      let (stack, hook) = (
        try #require(added["stack"]?.string), try #require(added["hookToken"]?.string)
      )
      for number in 0..<devices {
        _ = try await server.register(stack, endpoint: "https://push.example/\(number)")
      }
      for _ in 0..<alerts { _ = try await server.raise(stack, hook, ["kind": "problem", "wake": false]) }
      if isKilled {
        // What came so far goes into the file, and what comes now into the log.
        _ = try StoreReading.texts("PRAGMA wal_checkpoint(TRUNCATE)", in: state.path(store))
        _ = try await server.raise(stack, hook, ["kind": "problem", "wake": false])
        server.process.signal(SIGKILL)
        _ = await server.process.exitCode()
      } else {
        #expect(await server.stop() == 0)
      }
      return try Files(of: state)
    }

    /// What stands in each file of the store and its key; a log without an octet is none.
    private static func digests(_ state: TemporaryFolder) throws -> [String: [UInt8]] {
      var digests: [String: [UInt8]] = [:]
      for name in [store, "\(store)-wal", key] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: state.path(name))), !data.isEmpty
        else { continue }
        digests[name] = SHA256.digest(Array(data))
      }
      return digests
    }

    /// The numbers of the pages that stand in the log (sqlite.org/fileformat.html, the WAL-index is not needed).
    private static func pagesOfLog(_ state: TemporaryFolder) throws -> Set<Int> {
      guard let log = try? Data(contentsOf: URL(fileURLWithPath: state.path("\(store)-wal"))) else {
        return []
      }
      return Set(
        stride(from: 32, to: log.count, by: 24 + page).map { frame in
          log[frame..<min(frame + 4, log.count)].reduce(0) { $0 << 8 | Int($1) }
        })
    }

    private static func cut(_ state: TemporaryFolder, to length: (Int) -> Int) throws {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: state.path(store)))
      try file.truncate(atOffset: UInt64(length(Int(try file.seekToEnd()))))
      try file.close()
    }

    /// Changes the store as whoever has a shell for it might.
    private static func change(_ state: TemporaryFolder, _ statement: String) throws {
      _ = try StoreReading.texts(statement, in: state.path(store))
    }

    private static func overwrite(_ state: TemporaryFolder, at offset: Int, with octets: [UInt8]) throws {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: state.path(store)))
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: Data(octets))
      try file.close()
    }

    /// The file stays the same one, with its mode.
    private static func rewrite(_ state: TemporaryFolder, _ name: String, _ text: String) throws {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: state.path(name)))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }
  }
}
