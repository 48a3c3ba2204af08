import EndpointRegistry
import Foundation
import HTTPClient
import StandIns
import WakeServer

/// Everybody whom the demo needs, on loopback and in a temporary folder.
struct DemoParties: Sendable {
  let configuration: Configuration
  let service: WakeService
  let pushServer: StandInPushServer
  let companion: Companion
  let http = HTTPClient()

  init(log: Log) throws(CommandError) {
    // A short name: the path of a Unix socket may have 107 octets.
    let name = "wake-demo-\(UUID().uuidString.prefix(8))"
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
    do {
      pushServer = try StandInPushServer()
      companion = try Companion()
    } catch { throw .failed("the stand-ins do not start: \(error)") }
    var sources = ConfigurationSources()
    sources.add(environment: [
      "WAKE_STATE_DIR": folder.path, "WAKE_LISTEN": "127.0.0.1:0", "WAKE_PUSH_ALLOW": pushServer.origin,
      // Each alert of the demo is to be seen by itself.
      "WAKE_WINDOW": "0",
    ])
    do {
      configuration = try Configuration(sources, environment: [:], workingFolder: "/")
    } catch { throw CommandError(error) }
    do { service = try WakeService(configuration, log: log) } catch { throw CommandError(error) }
  }

  var baseURL: String { "http://\(service.publicAddress)" }

  /// Ends the service and removes its folder, whatever happened before.
  func cleanUp() async {
    await service.stop()
    await pushServer.stop()
    try? FileManager.default.removeItem(atPath: configuration.stateFolder.path)
  }
}
