import EndpointRegistry
import Foundation
import HTTPClient
import StandIns
import WakeServer

/// Everybody whom the demo needs, on loopback and in a temporary folder.
struct DemoParties: Sendable {
  let configuration: Configuration
  let service: WakeService
  let phone: DemoPhone
  let http = HTTPClient()
  private let folder: URL

  init(log: Log) throws(CommandError) {
    // A short name: the path of a Unix socket may have 107 octets.
    let name = "wake-demo-\(UUID().uuidString.prefix(8))"
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    var sources = ConfigurationSources()
    sources.add(environment: [
      "WAKE_STATE_DIR": folder.appendingPathComponent("home").path, "WAKE_LISTEN": "127.0.0.1:0",
      // The phone has its push server on a port of its own choice.
      "WAKE_PUSH_ALLOW": "127.0.0.1/32",
      // Each alert of the demo is to be seen by itself.
      "WAKE_WINDOW": "0",
    ])
    do {
      configuration = try Configuration(sources, environment: [:], workingFolder: "/")
    } catch { throw CommandError(error) }
    do throws(CommandError) {
      do throws(ConfigurationError) { try configuration.stateFolder.create() } catch {
        throw CommandError(error)
      }
      do throws(CompanionError) {
        phone = try DemoPhone(folder.appendingPathComponent("phone.json").path)
      } catch { throw CommandError(error) }
      do { service = try WakeService(configuration, log: log) } catch { throw CommandError(error) }
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  var baseURL: String { "http://\(service.publicAddress)" }

  /// Runs a piece of work on the service's store, as a command does while the service runs.
  func withStore<Value: Sendable>(
    _ work: (SQLiteStore) async throws(RegistryError) -> Value
  ) async throws(CommandError) -> Value {
    let result: Result<Value, RegistryError>
    do throws(RegistryError) {
      let store = try configuration.openStore(create: false)
      do throws(RegistryError) { result = .success(try await work(store)) } catch { result = .failure(error) }
      await store.close()
      return try result.get()
    } catch { throw CommandError(error) }
  }

  /// Ends the phone and the service and removes their folder, whatever happened before.
  func cleanUp() async {
    await phone.end()
    await service.stop()
    try? FileManager.default.removeItem(at: folder)
  }
}
