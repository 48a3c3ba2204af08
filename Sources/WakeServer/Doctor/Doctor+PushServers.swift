internal import EndpointRegistry
internal import PushDelivery

extension Doctor {
  /// Push servers that are looked at in one examination, those of most devices first: few services have more than a
  /// handful, and each takes 10 s where it is silent.
  static let pushServersMaximum = 32
  /// And how many of them at the same time: half of the threads that a probe has.
  private static let pushServersAtOnce = 8
  /// Stacks whose push servers are gathered.
  private static let stacksMaximum = 1_000

  /// Every push server that a device has its subscription at. No wake is sent.
  func examinePushServers(_ examination: Examination) async throws(RegistryError) {
    let servers = try await pushServersInUse()
    guard !servers.isEmpty else {
      return examination.add(
        .skipped(.connection, "no device has a push server yet: wake pair STACK adds a phone"))
    }
    let looked = Array(servers.prefix(Self.pushServersMaximum))
    let reach = PushServerReach(policy: policy, settings: settings)
    let found = await Self.found(looked, reach)
    for (server, findings) in zip(looked, found) {
      examination.add(findings)
      if findings.last?.verdict != .fault { examination.add(LastAnswerCheck(server: server).finding) }
    }
    if servers.count > looked.count {
      examination.add(
        .skipped(
          .connection, "\(servers.count - looked.count) more push servers, of few devices, were not looked at"
        ))
    }
  }

  private static func found(
    _ servers: [PushServerDelivery], _ reach: PushServerReach
  ) async -> [[DoctorFinding]] {
    await withTaskGroup(of: (Int, [DoctorFinding]).self) { group in
      var results = Array(repeating: [DoctorFinding](), count: servers.count)
      for (index, server) in servers.enumerated() {
        if index >= pushServersAtOnce, let (done, findings) = await group.next() { results[done] = findings }
        group.addTask { (index, await reach.findings("\(server.origin)/", origin: server.origin)) }
      }
      for await (done, findings) in group { results[done] = findings }
      return results
    }
  }

  /// One row for each origin, over all stacks; what was said last counts.
  private func pushServersInUse() async throws(RegistryError) -> [PushServerDelivery] {
    var known: [String: PushServerDelivery] = [:]
    for stack in try await store.stacks().prefix(Self.stacksMaximum) {
      for server in try await store.delivery(of: stack.id, at: clock.now()).pushServers
      where server.devices > 0 {
        known[server.origin] = known[server.origin].map { $0.merged(with: server) } ?? server
      }
    }
    return known.values.sorted { ($1.devices, $0.origin) < ($0.devices, $1.origin) }
  }
}

extension PushServerDelivery {
  /// The same push server on two stacks.
  fileprivate func merged(with other: PushServerDelivery) -> PushServerDelivery {
    let later = (lastAt ?? .min) >= (other.lastAt ?? .min) ? self : other
    return PushServerDelivery(
      origin: origin, lastAt: later.lastAt, lastOutcome: later.lastOutcome, lastStatus: later.lastStatus,
      reason: later.reason, lastAcceptedAt: [lastAcceptedAt, other.lastAcceptedAt].compactMap { $0 }.max(),
      devices: devices + other.devices, heldUntil: [heldUntil, other.heldUntil].compactMap { $0 }.max())
  }
}
