package import CryptoPrimitives
package import EndpointRegistry
package import HTTPListener
internal import PushDelivery
internal import StrictJSON

/// The running service: one store, one pipeline, one sender, and its doors.
package final class WakeService: Sendable {
  /// How long requests and wakes under way may take to end when the service is asked to.
  static let graceMilliseconds = 10_000

  /// Where companions and cores reach it; the real port where 0 was asked for.
  package let publicAddress: ListenAddress
  /// The Unix socket of the admin door.
  package let adminAddress: ListenAddress
  /// The admin door by TCP, where there is one.
  package let adminTokenAddress: ListenAddress?
  /// Where metrics are served, if anywhere.
  package let metricsAddress: ListenAddress?

  private let store: SQLiteStore
  private let sender: PushSender
  private let pipeline: WakePipeline
  private let working: Task<Void, Never>
  private let streaming: Task<Void, Never>
  private let sweeping: Task<Void, Never>
  private let watch: CertificateWatch?
  private let watching: Task<Void, Never>?
  private let listeners: [HTTPListener]
  private let locks: ServerLocks

  /// Starts everything, or nothing.
  ///
  /// - Parameter descriptor: a socket that listens already, for the public listener to take over.
  package init(
    _ configuration: Configuration, on descriptor: Int32? = nil, clock: WallClock = .system,
    random: RandomOctets = .system,
    storeOptions: StoreOptions = StoreOptions(), log: Log, willListen: () -> Void = {}
  ) throws(ServiceError) {
    try ConnectionAllowance.check()
    let steady = SteadyTime.system()
    let metrics = ServiceMetrics()
    var storeOptions = storeOptions
    storeOptions.observer = metrics.storeObserver
    do { try configuration.stateFolder.create() } catch { throw .cannotStart("\(error)") }
    let locks = try ServerLocks(configuration)
    let leftOver = configuration.removeScratch(at: clock.now())
    if leftOver > 0 { log.info("removed \(leftOver) scratch files of a process that was killed") }
    do {
      store = try configuration.openStore(create: true, serving: true, random: random, options: storeOptions)
    } catch { throw .store(error) }
    try locks.holdNewStore()
    self.locks = locks
    if store.didCreate {
      log.warning("a NEW, empty store was made: \(configuration.databasePath)")
    } else {
      log.info("store: \(configuration.databasePath)")
    }
    let watch: CertificateWatch?
    do throws(CertificateFileError) {
      watch = try configuration.tls.map { files throws(CertificateFileError) in
        try CertificateWatch(files, clock: clock, log: log)
      }
    } catch { throw .cannotStart("\(error)") }
    willListen()
    let sockets = try ServiceSockets.bind(configuration, on: descriptor)
    let policy = AddressPolicy(allow: configuration.pushAllow, ownListeners: sockets.ownListeners)
    var sending = PushSenderConfiguration(nowMilliseconds: clock.now)
    sending.caFile = configuration.pushCAFile
    do throws(PushDeliveryError) {
      sender = try PushSender(policy: policy, configuration: sending)
    } catch { throw .cannotStart("wakes cannot be sent: \(error)") }
    let pipeline = WakePipeline(
      store: store, sender: sender, tokens: VAPIDTokenCache(subject: configuration.contact),
      timing: configuration.timing, clock: clock, steady: steady, random: random, log: log,
      metrics: metrics)
    self.pipeline = pipeline
    let feeds = AlertFeeds(store: store, log: log)
    let application = WakeApplication(
      store: store, policy: policy, pipeline: pipeline, feeds: feeds, proxies: configuration.trustedProxies,
      rates: configuration.rates, pairing: PairingAddress(configuration),
      doctor: DoctorSettings(configuration, at: sockets.everyone.address, and: sockets.others),
      clock: clock, steady: steady, random: random, log: log, metrics: metrics)
    let admin = try Self.listen(on: sockets.admin, for: application, through: .admin)
    let everyone = try Self.listen(
      on: sockets.everyone, identities: watch?.identities, proxies: configuration.trustedProxies,
      for: application, through: .everyone)
    let byToken: HTTPListener?
    if let socket = sockets.adminByToken {
      let identities = socket.address.isLocal ? nil : watch?.identities
      byToken = try Self.listen(on: socket, identities: identities, for: application, through: .adminByToken)
    } else {
      byToken = nil
    }
    let scraped: HTTPListener?
    if let socket = sockets.metrics {
      let page = Self.metricsPage(
        metrics, store: store, pipeline: pipeline, feeds: feeds, clock: clock, steady: steady)
      scraped = try Self.listen(on: socket, for: page, log: log)
    } else {
      scraped = nil
    }
    listeners = [everyone, admin] + [byToken, scraped].compactMap { $0 }
    metricsAddress = scraped?.address
    adminTokenAddress = byToken?.address
    publicAddress = everyone.address
    adminAddress = admin.address
    for warning in configuration.warnings { log.warning(warning) }
    working = Task.detached { await pipeline.run() }
    streaming = Task.detached { await feeds.run() }
    let sweeper = Sweeper(
      store: store, retention: configuration.retention, clock: clock, steady: steady, log: log)
    sweeping = Task.detached { await sweeper.run() }
    self.watch = watch
    watching = watch.map { watch in Task.detached { await watch.run() } }
  }

  /// Why the service cannot go on, found after it was started; nil where nothing is wrong.
  package func fault() async -> ServiceError? {
    do throws(RegistryError) {
      try await store.checked()
      return nil
    } catch {
      return .store(error)
    }
  }

  /// Looks at once whether the certificate's files have changed, which otherwise happens every second.
  package func lookAtCertificate() async { await watch?.lookAside() }

  /// Returns when the store has answered, well or badly: a service whose store hangs does not.
  package func answers() async {
    // What a store that fails says is the store's matter, and `/readyz`'s.
    _ = try? await store.check()
  }

  /// Ends in order: no new request, running requests, the wakes under way, the store.
  package func stop() async {
    let limit = Task {
      try? await Task.sleep(for: .milliseconds(Self.graceMilliseconds))
      guard !Task.isCancelled else { return }
      pipeline.abandon()
      await sender.shutdown(graceMilliseconds: 0)
    }
    await withDiscardingTaskGroup { group in
      for listener in listeners { group.addTask { await listener.stop() } }
    }
    streaming.cancel()
    await streaming.value
    sweeping.cancel()
    await sweeping.value
    watching?.cancel()
    await watching?.value
    pipeline.finish()
    await working.value
    limit.cancel()
    await sender.shutdown(graceMilliseconds: 0)
    await store.close()
  }

  private static func listen(
    on socket: consuming ListenSocket, identities: TLSIdentitySlot? = nil,
    proxies: TrustedProxies = TrustedProxies(), for application: WakeApplication, through door: Door
  ) throws(ServiceError) -> HTTPListener {
    let address = socket.address
    var limits = HTTPLimits()
    if door == .everyone {
      limits.connections = ConnectionAllowance.connections(
        wanted: limits.connections, descriptors: ConnectionAllowance.descriptors, memory: MemoryGroup.limit())
    }
    // Behind loopback or a socket of the file system there is one address for everybody: a proxy's, or the core's.
    if address.isLocal { limits.connectionsPerAddress = limits.connections }
    // What reaches a Unix socket has its TLS behind it, or needs none.
    let identities: TLSIdentitySlot? = if case .unix = address { nil } else { identities }
    do {
      return try HTTPListener(
        socket: socket, limits: limits, identities: identities,
        countedAs: { address in
          IPAddress(parsing: address).map(proxies.trusts) == true ? nil : ClientNetwork.name(of: address)
        },
        refusal: { application.refuse($0, through: door) },
        handler: { await application.respond(to: $0, through: door) })
    } catch { throw .cannotStart("\(address): \(error)") }
  }
}
