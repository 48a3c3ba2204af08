import Foundation
import HTTPClient
import StrictJSON
import Testing

/// A running `wake serve`.
struct Server: Sendable {
  let state: TemporaryFolder
  let address: String
  /// The admin listener by TCP, where there is one.
  let adminByToken: String?
  /// The metrics listener, where there is one.
  let metrics: String?
  let process: LineProcess
  private let environment: [String: String]
  private let logName: String

  /// It ended before it listened; what it said.
  struct EndedAtOnce: Error {
    let said: String
  }

  /// What it has said on standard error.
  func log() throws -> String { try state.text(logName) }

  /// Starts a server on a state folder and waits until it listens.
  ///
  /// `launcher` is a command that runs the command that follows it.
  init(
    _ state: TemporaryFolder, _ environment: [String: String] = [:], arguments: [String] = [],
    launcher: [String] = []
  ) async throws {
    self.state = state
    self.environment = environment
    logName = "log-\(UUID().uuidString)"
    let errors = try state.newFile(logName)
    process = try LineProcess(
      .wake(["serve", "--json"] + arguments, state: state, environment).launched(by: launcher), errors: errors
    )
    guard let line = try await process.next() else { throw EndedAtOnce(said: try state.text(logName)) }
    address = try #require(line["listening"]?.string)
    adminByToken = line["adminByToken"]?.string
    metrics = line["metrics"]?.string
  }

  /// Runs `body` with a server in a folder of its own, and ends both.
  static func with(_ environment: [String: String] = [:], body: (Server) async throws -> Void) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    try await with(state, environment, body: body)
  }

  /// Runs `body` with a server on a folder that is there already, and ends the server.
  static func with(
    _ state: TemporaryFolder, _ environment: [String: String] = [:], launcher: [String] = [],
    body: (Server) async throws -> Void
  ) async throws {
    let server = try await Server(state, environment, launcher: launcher)
    do {
      try await body(server)
    } catch {
      _ = await server.stop()
      throw error
    }
    #expect(await server.stop() == 0)
  }

  /// How many sockets it has open.
  func sockets() throws -> Int {
    let folder = "/proc/\(process.pid)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasPrefix("socket:")
        == true
    }
  }

  /// The same, once it has not changed for two seconds: a connection whose client has left is closed within one.
  func settledSockets() async throws -> Int { try await settled { try sockets() } }

  /// What `look` counts, once it has not changed for two seconds.
  func settled(_ look: () throws -> Int) async throws -> Int {
    var (count, looks) = (0, 0)
    while looks < 40 {
      let now = try look()
      (count, looks) = (now, now == count ? looks + 1 : 0)
      try await Task.sleep(for: .milliseconds(50))
    }
    return count
  }

  /// Waits until it has so many sockets open; false where that does not come in time.
  func reaches(sockets: Int, within duration: Duration) async throws -> Bool {
    let end = ContinuousClock.now + duration
    while try self.sockets() != sockets {
      guard ContinuousClock.now < end else { return false }
      try await Task.sleep(for: .milliseconds(50))
    }
    return true
  }

  /// Asks it to end, and waits. Whatever it was there for, its log has no token in it.
  func stop() async -> Int32 {
    process.signal(SIGTERM)
    let code = await process.exitCode()
    let leaks = (try? log())?.matches(of: /wk[pdha]_[A-Za-z0-9_-]{43}/).count
    #expect(leaks == 0, "tokens are in the log")
    return code
  }

  /// Runs a command with the server's settings.
  func wake(_ arguments: String..., input: String = "") async throws -> Ended {
    try await Program.wake(arguments, state: state, environment).run(input: input)
  }

  /// The same for a list of words.
  func run(_ arguments: [String]) async throws -> Ended {
    try await Program.wake(arguments, state: state, environment).run()
  }

  /// Runs a command that must succeed, and reads its answer.
  func json(_ arguments: String..., input: String = "") async throws -> JSONValue {
    let ended = try await Program.wake(arguments + ["--json"], state: state, environment).run(input: input)
    #expect(ended.exitCode == 0, "\(arguments): \(ended.errors)")
    return try ended.json
  }

  /// A request to the public door.
  func ask(_ method: String, _ path: String, token: String, json: JSONValue? = nil) async throws
    -> HTTPExchange
  {
    var headers = [("Authorization", "Bearer \(token)")]
    if json != nil { headers.append(("Content-Type", "application/json")) }
    return try await HTTPClient().send(
      method, "http://\(address)\(path)", headers: headers, body: json?.serialized())
  }
}

extension HTTPExchange {
  var json: JSONValue { (try? StrictJSON.parse(body)) ?? .null }
}
