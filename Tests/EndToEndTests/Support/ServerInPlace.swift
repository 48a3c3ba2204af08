import Synchronization

/// A server that listens at one address, however often it is started again.
final class ServerInPlace: Sendable {
  private let current: Mutex<Server>
  private let settings: [String: String]

  var server: Server { current.withLock { $0 } }

  /// Starts it at a free port.
  init(_ state: TemporaryFolder, _ settings: [String: String]) async throws {
    let server = try await Server(state, settings)
    self.settings = settings.merging(["WAKE_LISTEN": server.address]) { $1 }
    current = Mutex(server)
  }

  /// Ends it by a signal, does something while it is away, and starts it again.
  func startAgain(after signal: Int32, meanwhile: () async throws -> Void = {}) async throws {
    server.process.signal(signal)
    _ = await server.process.exitCode()
    try await meanwhile()
    let started = try await Server(server.state, settings)
    current.withLock { $0 = started }
  }
}
