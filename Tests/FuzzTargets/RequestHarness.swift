import CryptoPrimitives
import EndpointRegistry
import HTTPListener
import KindCatalogue
import PushDelivery
import Synchronization
import TestSupport
import WakeServer
import WebPushCrypto

/// The routes on a store in a temporary folder, without a socket and without anything that sends, for as long as the
/// process lives.
final class RequestHarness: Sendable {
  static let shared = Result { try RequestHarness() }

  private let store: SQLiteStore
  private let application: WakeApplication
  private let stack: StackID
  private let hookToken: Token
  private let phone: Mutex<Phone>

  private struct Phone {
    let device: DeviceID
    let token: Token
    let code: Token
  }

  private init() throws {
    store = try SQLiteStore.open(
      at: ScratchFile.path("store"), serviceKey: SecretOctets(Array(repeating: 1, count: 32)), create: true,
      random: .system)
    let policy = AddressPolicy()
    let pipeline = WakePipeline(
      store: store,
      sender: try PushSender(
        policy: policy, configuration: PushSenderConfiguration(nowMilliseconds: WallClock.system.now)),
      tokens: VAPIDTokenCache(subject: nil), timing: WakeTiming(ttlSeconds: 60, windowSeconds: 0),
      clock: .system, steady: .system(), random: .system, log: .silent)
    let feeds = AlertFeeds(store: store, log: .silent)
    Task.detached { await feeds.run() }
    application = WakeApplication(
      store: store, policy: policy, pipeline: pipeline, feeds: feeds, clock: .system, steady: .system(),
      log: .silent)
    let store = store
    let made = try waitBlocking { () -> Result<(AddedStack, Phone), RegistryError> in
      do throws(RegistryError) {
        let added = try await store.addStack(
          id: nil, label: "home", kinds: Kind.allCases, hookTokenName: "core", at: WallClock.system.now())
        return .success((added, try await Self.pair(added.stack.id, store)))
      } catch { return .failure(error) }
    }.get()
    (stack, hookToken) = (made.0.stack.id, made.0.hookToken)
    phone = Mutex(made.1)
  }

  private static func pair(_ stack: StackID, _ store: SQLiteStore) async throws(RegistryError) -> Phone {
    let now = WallClock.system.now()
    let year: Int64 = 31_536_000_000
    let used = try await store.addPairing(stack: stack, at: now, expiresAt: now + year)
    guard let client = ClientID(Base64URL.encode(RandomOctets.system(16))) else {
      preconditionFailure("16 octets are no client id")
    }
    let result = try await store.register(Registration(pairing: used, client: client), at: now)
    let code = try await store.addPairing(stack: stack, at: now, expiresAt: now + year)
    return Phone(device: result.device.id, token: result.token, code: code)
  }

  /// What stands for what in a request; the longer names first.
  var substitutes: [(name: String, value: String)] {
    let phone = phone.withLock { $0 }
    return [
      ("@DEVICE-TOKEN", phone.token.text), ("@HOOK-TOKEN", hookToken.text),
      ("@PAIRING-CODE", phone.code.text),
      ("@DEVICE", "\(phone.device)"), ("@STACK", "\(stack)"),
    ]
  }

  /// What no error may show.
  var secrets: [String] {
    let phone = phone.withLock { $0 }
    return [phone.token.text, hookToken.text, phone.code.text]
  }

  /// Answers; a phone that removed itself, or used its code, is followed by another.
  func respond(to request: HTTPRequest) -> HTTPResponse {
    let (application, store, stack) = (application, store, stack)
    let response = waitBlocking { await application.respond(to: request, through: .everyone) }
    response.stream?.cut()
    let makesOrEnds = request.method == "DELETE" || request.method == "POST"
    if makesOrEnds, (200...299).contains(response.status), !request.path.hasSuffix("/alerts") {
      let next = waitBlocking { try? await Self.pair(stack, store) }
      if let next { phone.withLock { $0 = next } }
    }
    return response
  }
}
