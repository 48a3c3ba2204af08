import Foundation
import StrictJSON
import TestSupport
import Testing

@Suite("A store of an earlier schema")
struct StoreMigrationTests {
  /// Calls by which SQLite changes a file.
  private static let changes = ["pwrite64", "fdatasync", "fsync", "ftruncate", "unlink"]

  /// The schemas of which there is a fixture, and the newest.
  static let released = [1, 2, 3]
  private static let newest = 4

  /// A state folder with the store of an earlier schema.
  static func state(schema: Int = 1) throws -> TemporaryFolder {
    let state = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: state.path("state"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    for (fixture, name) in [("schema-\(schema).sqlite", "wake.sqlite"), ("service.key", "service.key")] {
      let path = state.path("state/\(name)")
      try Fixtures.data("store/\(fixture)").write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    return state
  }

  /// The version and the tables of a store, as the next program to open it finds them.
  private static func schema(_ state: TemporaryFolder) throws -> [String] {
    try StoreReading.texts(
      """
      SELECT 'version ' || user_version FROM pragma_user_version
      UNION ALL SELECT name || ' ' || coalesce(sql, '') FROM sqlite_schema
      UNION ALL SELECT 'integrity ' || integrity_check FROM pragma_integrity_check
      UNION ALL SELECT 'device ' || id FROM devices
      """, in: state.path("state/wake.sqlite")
    ).sorted()
  }

  /// A store of that schema with the devices of another one.
  private static func like(_ schema: Int, with other: [String]) throws -> [String] {
    let state = try Self.state(schema: schema)
    defer { state.remove() }
    let isDevice = { (line: String) in line.hasPrefix("device ") }
    return (try Self.schema(state).filter { !isDevice($0) } + other.filter(isDevice)).sorted()
  }

  @Test(
    "a migration that is killed at any of its changes of a file leaves every step wholly undone or wholly done",
    .enabled(Comment(rawValue: Tools.noStrace)) { await Tools.canTrace }, arguments: released)
  func killed(schema: Int) async throws {
    let untouched = try Self.state(schema: schema)
    defer { untouched.remove() }
    let old = try Self.schema(untouched)
    #expect(try await Program.wake(["stack", "list"], state: untouched).run().exitCode == 0)
    let new = try Self.schema(untouched)
    // Each step is whole by itself.
    let between = try Self.released.filter { $0 > schema }.map { try Self.like($0, with: old) }
    #expect(old.contains("version \(schema)") && new.contains("version \(Self.newest)"))

    var (kills, olds, news) = (0, 0, 0)
    for call in Self.changes {
      for number in 1...200 {
        let state = try Self.state(schema: schema)
        defer { state.remove() }
        let wake = Program.wake(["stack", "list"], state: state)
        let killing = Program(
          path: Tools.strace,
          arguments: Tools.withoutLeakSearch + [
            "-f", "-qq", "-o", state.path("trace"), "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(number)", wake.path,
          ] + wake.arguments, environment: wake.environment)
        let ended = try await killing.run()
        let found = try Self.schema(state)
        #expect(found == old || found == new || between.contains(found), "killed at \(call) \(number)")
        if ended.exitCode == 0 {
          // There were fewer of these calls.
          #expect(found == new)
          break
        }
        kills += 1
        if found == old { olds += 1 } else { news += 1 }
        // The next start finishes what was begun.
        let after = try await Program.wake(["device", "list"], state: state).run()
        #expect(after.exitCode == 0, "after \(call) \(number): \(after.errors)")
        #expect(try Self.schema(state) == new)
      }
    }
    #expect(
      kills > 10 && olds > 0 && news > 0, "\(kills) kills, \(olds) left the old schema, \(news) the new")
  }

  @Test("the command line does not migrate behind a running server's back, and does where none runs")
  func lock() async throws {
    let state = try Self.state()
    defer { state.remove() }
    let path = state.path("state/wake.sqlite-serve.lock")
    let lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: state.path("state/wake.sqlite")))
    for arguments in [["device", "list"], ["stack", "rename", "home", "x"]] {
      let refused = try await Program.wake(arguments, state: state).run()
      #expect(refused.exitCode == 4 && refused.errors.contains("restart the server"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: state.path("state/wake.sqlite"))) == before)
    #expect(flock(lock, LOCK_UN) == 0)
    #expect(try await Program.wake(["device", "list"], state: state).run().exitCode == 0)
    #expect(try Self.schema(state).contains("version \(Self.newest)"))
  }

  @Test(
    "the server migrates at its start, and serves what was registered before",
    arguments: [(1, 4), (2, 7), (3, 7)])
  func server(schema: Int, devices: Int) async throws {
    let state = try Self.state(schema: schema)
    defer { state.remove() }
    let server = try await Server(state)
    #expect(try await server.json("device", "list").array?.count == devices)
    #expect(await server.stop() == 0)
  }
}
