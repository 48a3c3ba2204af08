import CryptoPrimitives
import Foundation
import PushDelivery
import TestSupport
import WebPushCrypto

/// What the tests of the sender have in common.
enum PushHarness {
  /// 2026-01-01 00:00:00 UTC, in milliseconds since 1970: the wall clock of the tests.
  static let now: Int64 = 1_767_225_600_000

  /// A configuration for a slow machine, and what `change` makes of it.
  static func configuration(
    _ change: (inout PushSenderConfiguration) -> Void = { _ in }
  ) -> PushSenderConfiguration {
    var configuration = PushSenderConfiguration(nowMilliseconds: { now })
    // Long enough for a machine under load; tests of timeouts name their own.
    configuration.connectTimeoutMilliseconds = 60_000
    configuration.totalTimeoutMilliseconds = 60_000
    change(&configuration)
    return configuration
  }

  /// Runs `body` with a sender that is shut down afterwards.
  static func withSender<R>(
    allow: String, ownListeners: OwnListeners = .none,
    configuration: PushSenderConfiguration = configuration(),
    _ body: (PushSender, AddressPolicy) async throws -> R
  ) async throws -> R {
    let policy = AddressPolicy(allow: try PushAllowList(parsing: allow), ownListeners: ownListeners)
    let sender = try PushSender(policy: policy, configuration: configuration)
    do {
      let result = try await body(sender, policy)
      await sender.shutdown()
      return result
    } catch {
      await sender.shutdown()
      throw error
    }
  }

  /// Starts a server, and a sender that may reach it; sends one wake to `path` of it.
  static func send(
    path: String = "/w/secret-token", change: (inout WakeMessage) -> Void = { _ in },
    configuration: PushSenderConfiguration = configuration(), answering: @escaping RawServer.Answering
  ) async throws -> (answer: PushAnswer, requests: [RawRequest]) {
    let server = try RawServer(answering: answering)
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    let answer = try await withSender(allow: origin, configuration: configuration) { sender, policy in
      var message = try message(to: origin + path, policy)
      change(&message)
      return await sender.send(message)
    }
    return (answer, server.requests)
  }

  /// A wake to `url`, which the policy has to permit.
  static func message(to url: String, _ policy: AddressPolicy) throws -> WakeMessage {
    let endpoint = try policy.endpoint(from: url)
    return message(to: endpoint)
  }

  /// A wake to `endpoint`, with a body of 256 octets that is none of anybody's.
  static func message(to endpoint: Endpoint) -> WakeMessage {
    WakeMessage(
      endpoint: endpoint, topic: Topic(secret: Array(0..<32)), ttlSeconds: 86_400,
      authorization: "vapid t=header.claims.signature, k=publickey", body: Array(0...255),
      endpointDigest: SHA256.digest(Array(endpoint.url.utf8)))
  }
}
