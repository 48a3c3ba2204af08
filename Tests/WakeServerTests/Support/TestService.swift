import CryptoPrimitives
import EndpointRegistry
import Foundation
import HTTPListener
import KindCatalogue
import PushDelivery
import StandIns
import StrictJSON
import Synchronization
import Testing
import WakeServer
import WebPushCrypto

/// How a test reaches the routes: by a call, or through a real socket. The same tests run over both.
enum Transport: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case call, socket

  var testDescription: String { rawValue }
}

/// The service on a temporary store, with a stand-in push server; ended by `with`.
final class TestService: Sendable {
  let store: SQLiteStore
  let pushServer: StandInPushServer
  let application: WakeApplication
  let stack: Stack
  let hookToken: Token
  let metrics = ServiceMetrics()
  private let page: MetricsPage
  private let client: any RouteClient
  let pipeline: WakePipeline
  let policy: AddressPolicy
  private let sender: PushSender
  private let working = Mutex<Task<Void, Never>?>(nil)
  let feeds: AlertFeeds
  private let streaming: Task<Void, Never>
  private let folder: URL

  /// Runs `body` with a service that has one stack, and ends everything afterwards.
  ///
  /// - Parameters:
  ///   - window: seconds; 0, where every alert wakes at once.
  ///   - streamLook: between two looks at whose stream has to end.
  ///   - delivers: whether wakes go out; where they do not, nothing leaves the process before ``deliver()``.
  ///   - own: where the service is taken to listen itself.
  ///   - rates: what a token may ask for.
  ///   - proxies: whose word on who calls is believed.
  ///   - sending: changes how wakes are sent.
  ///   - examining: changes what the doctor knows.
  ///   - waking: what stands between the store and those who wake.
  static func with(
    _ transport: Transport = .call, clock: WallClock = .system, steady: SteadyTime = .system(),
    window: Int = 0, ttl: Int = 86_400, streamLook: Duration = AlertFeeds.look,
    kinds: [Kind] = Kind.allCases, delivers: Bool = true, alsoAllows origin: String = "",
    own: OwnListeners = .none, rates: Rates = Rates(), proxies: TrustedProxies = TrustedProxies(),
    sending: (inout PushSenderConfiguration) -> Void = { _ in },
    examining: (inout DoctorSettings) -> Void = { _ in },
    waking: (SQLiteStore) -> any WakeStore = { $0 }, log: Log = .silent,
    body: (TestService) async throws -> Void
  ) async throws {
    let service = try await TestService(
      transport, clock: clock, steady: steady, window: window, ttl: ttl, streamLook: streamLook, kinds: kinds,
      alsoAllows: origin, own: own, rates: rates, proxies: proxies, sending: sending, examining: examining,
      waking: waking, log: log)
    if delivers { service.deliver() }
    do {
      try await body(service)
    } catch {
      await service.end()
      throw error
    }
    await service.end()
  }

  private init(
    _ transport: Transport, clock: WallClock, steady: SteadyTime, window: Int, ttl: Int, streamLook: Duration,
    kinds: [Kind], alsoAllows origin: String, own: OwnListeners,
    rates: Rates, proxies: TrustedProxies, sending: (inout PushSenderConfiguration) -> Void,
    examining: (inout DoctorSettings) -> Void,
    waking: (SQLiteStore) -> any WakeStore, log: Log
  )
    async throws
  {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("wake-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var options = StoreOptions()
    options.observer = metrics.storeObserver
    store = try SQLiteStore.open(
      at: folder.appendingPathComponent("wake.sqlite").path,
      serviceKey: SecretOctets(RandomOctets.system(32)),
      create: true, random: .system, options: options)
    pushServer = try StandInPushServer()
    policy = AddressPolicy(
      allow: try PushAllowList(
        parsing: [pushServer.origin, origin].filter { !$0.isEmpty }.joined(separator: ",")), ownListeners: own
    )
    var configuration = PushSenderConfiguration(nowMilliseconds: clock.now)
    sending(&configuration)
    sender = try PushSender(policy: policy, configuration: configuration)
    let pipeline = WakePipeline(
      store: waking(store), sender: sender, tokens: VAPIDTokenCache(subject: nil),
      timing: WakeTiming(ttlSeconds: ttl, windowSeconds: window), clock: clock, steady: steady,
      random: .system, log: log, metrics: metrics)
    self.pipeline = pipeline
    let feeds = AlertFeeds(store: store, look: streamLook, log: .silent)
    self.feeds = feeds
    streaming = Task.detached { await feeds.run() }
    let listening = ListeningAddress()
    var doctor = DoctorSettings(publicURL: { listening.url })
    examining(&doctor)
    application = WakeApplication(
      store: store, policy: policy, pipeline: pipeline, feeds: feeds, proxies: proxies, rates: rates,
      doctor: doctor,
      clock: clock, steady: steady, log: log, metrics: metrics)
    let state = StateReader(clock: clock, steady: steady) { [store] at throws(RegistryError) in
      try await store.overview(at: at)
    }
    page = MetricsPage(metrics: metrics, state: state) { MetricsPage.Depths() }
    client = try transport.client(for: application)
    listening.url = client.address.map { "http://\($0)" }
    let added = try await store.addStack(
      id: nil, label: "home", kinds: kinds, hookTokenName: "core", at: clock.now())
    (stack, hookToken) = (added.stack, added.hookToken)
  }

  private func end() async {
    await client.end()
    streaming.cancel()
    await streaming.value
    pipeline.abandon()
    await sender.shutdown(graceMilliseconds: 0)
    await working.withLock { $0 }?.value
    await pushServer.stop()
    await store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Lets wakes go out from now on, as at the start of a process.
  func deliver() {
    working.withLock { working in
      if working == nil { working = Task.detached { [pipeline] in await pipeline.run() } }
    }
  }

  /// The files of the store.
  var storeFolder: URL { folder }

  /// Waits until every wake that was asked for has its answer in the record.
  func settle() async {
    pipeline.finish()
    await working.withLock { $0 }?.value
  }

  /// What a scraper reads.
  func metricsText(_ format: ExpositionFormat = .openMetrics) async -> String { await page.text(format) }

  // MARK: requests

  /// Where the service listens, over a socket.
  var port: Int {
    get throws { try #require(client.address?.split(separator: ":").last.flatMap { Int($0) }) }
  }

  /// The same as a URL.
  var baseURL: String { "http://\(client.address ?? "")" }

  /// Sends a request as it is.
  func send(
    _ method: String, _ path: String, token: String? = nil, headers: [(String, String)] = [],
    body: [UInt8] = [], door: Door = .everyone
  ) async throws -> Reply {
    var fields = headers.map { (name: $0.0, value: $0.1) }
    if let token { fields.append((name: "Authorization", value: "Bearer \(token)")) }
    return try await client.send(method, path, headers: fields, body: body, door: door)
  }

  /// Sends a JSON body.
  func send(
    _ method: String, _ path: String, token: String? = nil, json: JSONValue, door: Door = .everyone
  ) async throws -> Reply {
    try await send(
      method, path, token: token, headers: [("Content-Type", "application/json")], body: json.serialized(),
      door: door)
  }

  var path: String { "/v1/stacks/\(stack.id.text)" }

  /// Raises an alert through the hook.
  func hook(_ body: JSONValue) async throws -> Reply {
    try await send("POST", "\(path)/alerts", token: hookToken.text, json: body)
  }

  /// A fresh pairing code.
  func pairingCode(expiresIn milliseconds: Int64 = 900_000) async throws -> String {
    let now = WallClock.system.now()
    return try await store.addPairing(stack: stack.id, at: now, expiresAt: now + milliseconds).text
  }

  /// Registers with a fresh code.
  func register(_ body: JSONValue) async throws -> Reply {
    try await send("POST", "\(path)/devices", token: try await pairingCode(), json: body)
  }

  /// A phone that registered an endpoint of the stand-in push server.
  func phone(_ target: String = "/up?token=1") async throws -> Phone {
    let companion = try Companion()
    let reply = try await register(companion.registration(endpoint: pushServer.origin + target))
    guard reply.status == 201, let device = reply.json["device"]?.string,
      let token = reply.json["token"]?.string
    else { throw Unexpected(reply: reply) }
    return Phone(companion: companion, device: device, token: token, target: target)
  }
}

/// Where a service listens, which is known once it does.
private final class ListeningAddress: Sendable {
  private let state = Mutex<String?>(nil)

  var url: String? {
    get { state.withLock(\.self) }
    set { state.withLock { $0 = newValue } }
  }
}

/// A registered companion.
struct Phone: Sendable {
  let companion: Companion
  let device: String
  let token: String
  let target: String
}

struct Unexpected: Error {
  let reply: Reply
}

extension Companion {
  /// The body of a registration.
  func registration(endpoint: String) -> JSONValue {
    ["client": .string(client), "endpoint": .string(endpoint), "keys": keys]
  }
}
