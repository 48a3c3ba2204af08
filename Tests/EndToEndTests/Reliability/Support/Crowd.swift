import CryptoPrimitives
import EndpointRegistry
import Foundation
import KindCatalogue
import Testing
import WakeServer
import WebPushCrypto

/// Many devices in a store, put there while no server runs: a start has to be quick whatever their number.
enum Crowd {
  /// Registrations under way at once, which share commits.
  private static let atOnce = 64
  private static let origin = "http://127.0.0.1:1"

  /// Adds a stack with so many devices to the store of a state folder. Nobody ever wakes them.
  static func add(_ count: Int, to state: TemporaryFolder) async throws {
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": state.path("state")])
    let store = try Configuration(sources, environment: [:], workingFolder: "/").openStore(create: true)
    let now = WallClock.system.now()
    let stack = try await store.addStack(
      id: nil, label: "crowd", kinds: [.problem], hookTokenName: "core", at: now
    ).stack.id
    let keys = try UserAgentKeys(
      p256dh: Base64URL.encode(P256PrivateKey.generate().publicKey.uncompressed),
      auth: Base64URL.encode(RandomOctets.system(16)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for first in 0..<atOnce {
        group.addTask {
          for index in stride(from: first, to: count, by: atOnce) {
            let code = try await store.addPairing(
              stack: stack, at: now, expiresAt: now + Limits.pairingMilliseconds)
            let client = try #require(ClientID(Base64URL.encode(RandomOctets.system(16))))
            let endpoint = Endpoint(validatedURL: "\(origin)/crowd/\(index)", origin: origin)
            _ = try await store.register(
              Registration(
                pairing: code, client: client, subscription: PushSubscription(endpoint: endpoint, keys: keys)),
              at: now)
          }
        }
      }
      try await group.waitForAll()
    }
    await store.close()
  }
}
