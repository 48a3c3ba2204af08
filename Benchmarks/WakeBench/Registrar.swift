import CryptoPrimitives
import EndpointRegistry
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import WakeServer

/// Registers devices through the service, as phones do, each with a pairing code of its own.
struct Registrar: Sendable {
  /// Registrations under way at once.
  private static let atOnce = 64

  private let folder: URL
  private let address: String

  init(service: ServiceProcess) {
    folder = service.folder
    address = service.address
  }

  /// Registers `count` devices: the one with number `n` on the stack `stack(n)`, with the endpoint `endpoint(n)`.
  func register(
    _ count: Int, stack: @escaping @Sendable (Int) -> String, endpoint: @escaping @Sendable (Int) -> String
  ) async throws {
    let keys = try Companion().keys
    let (store, address, http) = (try openStore(), address, HTTPClient())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for registrar in 0..<Self.atOnce {
        group.addTask {
          for index in stride(from: registrar, to: count, by: Self.atOnce) {
            guard let id = StackID(stack(index)) else { throw ServiceProcess.Failed(description: "no stack") }
            let now = WallClock.system.now()
            let code = try await store.addPairing(
              stack: id, at: now, expiresAt: now + Limits.pairingMilliseconds)
            let body: JSONValue = .object([
              "client": .string(Base64URL.encode(RandomOctets.system(16))),
              "endpoint": .string(endpoint(index)), "keys": keys,
            ])
            let reply = try await http.send(
              "POST", "http://\(address)/v1/stacks/\(id.text)/devices",
              headers: [("Authorization", "Bearer \(code.text)"), ("Content-Type", MediaType.json)],
              body: body.serialized())
            guard reply.status == 201 else {
              throw ServiceProcess.Failed(description: "a registration was answered \(reply.status)")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    await store.close()
  }

  private func openStore() throws -> any RegistryStore {
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": folder.path])
    return try Configuration(sources, environment: [:], workingFolder: "/").openStore(create: false)
  }
}
