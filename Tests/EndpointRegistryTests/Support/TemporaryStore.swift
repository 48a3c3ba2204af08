import CryptoPrimitives
import KindCatalogue
import Testing
import WebPushCrypto

@testable import EndpointRegistry

/// A store in a folder of its own, and short words for what most tests begin with.
struct TemporaryStore {
  let folder: TemporaryFolder
  let store: SQLiteStore

  static let serviceKey = SecretOctets([UInt8](repeating: 7, count: 32))
  /// 2026-01-01.
  static let now: Int64 = 1_767_225_600_000

  init(options: StoreOptions = StoreOptions()) throws {
    folder = try TemporaryFolder()
    store = try Self.open(folder, options: options)
  }

  static func open(
    _ folder: TemporaryFolder, create: Bool = true, serviceKey: SecretOctets = serviceKey,
    options: StoreOptions = StoreOptions()
  ) throws(RegistryError) -> SQLiteStore {
    try SQLiteStore.open(
      at: folder.file("wake.sqlite"), serviceKey: serviceKey, create: create, random: .system,
      options: options)
  }

  /// A second store on the same file, as the command line opens one.
  func another(options: StoreOptions = StoreOptions()) throws(RegistryError) -> SQLiteStore {
    try Self.open(folder, create: false, options: options)
  }

  /// A connection of the test's own, to look at rows and to harm them.
  func database() throws(RegistryError) -> Database {
    try Database(path: store.path, mode: .readWrite, busyTimeoutMilliseconds: 5_000)
  }

  func stack(_ label: String = "home", kinds: [Kind] = Kind.allCases) async throws -> AddedStack {
    try await store.addStack(
      id: nil, label: label, kinds: kinds, hookTokenName: "core", at: Self.now)
  }

  func code(for stack: StackID) async throws -> Token {
    try await store.addPairing(stack: stack, at: Self.now, expiresAt: Self.now + 900_000)
  }

  /// Registers with a fresh code.
  func register(
    _ stack: StackID, client: ClientID = .minted(.system), subscription: PushSubscription? = nil,
    vapidPublicKey: String? = nil, label: String? = nil, muted: [Kind]? = nil, temporary: Bool = false
  ) async throws -> RegistrationResult {
    try await store.register(
      Registration(
        pairing: try await code(for: stack), client: client, subscription: subscription,
        vapidPublicKey: vapidPublicKey, label: label, muted: muted, temporary: temporary),
      at: Self.now)
  }

  /// Another VAPID key of a stack: its public half. A current one takes the place of the one before.
  func addVAPIDKey(to stack: StackID, isCurrent: Bool) throws -> String {
    let key = try SealedVAPIDKey.make(store.keys, random: .system)
    let database = try database()
    if isCurrent {
      try database.run(
        "UPDATE vapid_keys SET is_current = 0 WHERE stack = (SELECT serial FROM stacks WHERE id = ?)",
        .text(stack.text))
    }
    try database.run(
      """
      INSERT INTO vapid_keys (stack, public_key, private_key, is_current, created_at)
      VALUES ((SELECT serial FROM stacks WHERE id = ?), ?, ?, ?, 0)
      """,
      .text(stack.text), .text(key.publicKey), .octets(key.sealed), .integer(isCurrent ? 1 : 0))
    return key.publicKey
  }

  /// Rows of a table.
  func count(_ table: String) throws -> Int64 {
    try database().integer("SELECT count(*) FROM \(table)") ?? -1
  }

  /// What a wake needs: to this device, or to the only one of the stack that has a subscription.
  func target(_ stack: StackID, device: DeviceID? = nil) async throws -> WakeTarget {
    var devices = [device].compactMap(\.self)
    if device == nil {
      devices = try await store.devices(stack: stack, after: nil, limit: 10)
        .filter { $0.pushServer != nil }.map(\.id)
      #expect(devices.count == 1)
    }
    let only = try #require(devices.first)
    return try #require(try await store.wakeTarget(only))
  }
}

extension UserAgentKeys {
  /// Fresh keys of a companion.
  static func fresh() throws -> UserAgentKeys {
    try UserAgentKeys(uaPublic: P256PrivateKey.generate().publicKey, authSecret: RandomOctets.system(16))
  }
}

extension PushSubscription {
  /// A subscription at a push server, with fresh keys.
  static func at(_ path: String, origin: String = "https://push.example") throws -> PushSubscription {
    PushSubscription(
      endpoint: Endpoint(validatedURL: "\(origin)/\(path)", origin: origin), keys: try .fresh())
  }
}

extension SQLiteStore {
  /// Ends a wake whose attempt is on record no more, and which found its endpoint gone; the devices that lost it.
  @discardableResult
  func erase(_ target: WakeTarget, status: Int = 410, at: Int64) async throws(RegistryError) -> [DeviceID] {
    let erasure = Erasure(
      endpointDigest: target.endpointDigest, generation: target.generation, status: status,
      pushServer: target.subscription.endpoint.origin)
    let result = AttemptResult(id: .max, outcome: .gone, status: status, milliseconds: 1, erasure: erasure)
    return try await completeAttempts([result], at: at).map(\.device)
  }
}
