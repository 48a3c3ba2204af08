internal import EndpointRegistry
internal import PushDelivery

extension Doctor {
  /// Push servers that are looked at in one examination, those of most devices first: few services have more than a
  /// handful, and each takes 10 s where it is silent.
  static let pushServersMaximum = 32
  /// And how many of them at the same time: half of the threads that a probe has.
  private static let pushServersAtOnce = 8

  /// Every push server that a device has its subscription at, each as soon as it was looked at. No wake is sent.
  func examinePushServers(_ examination: Examination) async throws(RegistryError) {
    let (servers, others) = try await pushServersInUse()
    guard !servers.isEmpty else {
      return examination.add(
        .skipped(.connection, "no device has a push server yet: wake pair STACK adds a phone"))
    }
    var reach = PushServerReach(policy: policy, settings: settings)
    reach.lacksAuthorities = examination.isBroken(.configuration)
    let looking = reach
    let isClockWrong = examination.isBroken(.clock)
    await withTaskGroup(of: (PushServerDelivery, [DoctorFinding]).self) { group in
      var waiting = servers.makeIterator()
      func beginNext() {
        guard examination.isWanted(), let server = waiting.next() else { return }
        group.addTask { (server, await looking.findings("\(server.origin)/", origin: server.origin)) }
      }
      for _ in 0..<Self.pushServersAtOnce { beginNext() }
      while let (server, findings) = await group.next() {
        examination.add(findings)
        if looking.lacksAuthorities, server.origin.hasPrefix("https:") {
          // What was said last follows from the file of authorities, or came before it went.
          examination.add(
            DoctorFinding.skipped(.answer, PushServerReach.behindAuthorities).about(server.origin))
        } else if findings.last?.verdict != .fault {
          examination.add(LastAnswerCheck(server: server, isClockWrong: isClockWrong).finding)
        }
        beginNext()
      }
    }
    if others > 0 {
      examination.add(
        .skipped(.connection, "\(others) more push servers, of few devices, were not looked at"))
    }
  }

  /// Those of most devices, and how many there are beside them.
  private func pushServersInUse() async throws(RegistryError) -> ([PushServerDelivery], Int) {
    var used: [PushServerDelivery] = []
    var all = 0
    var last: String?
    var page: [PushServerDelivery]
    repeat {
      page = try await store.pushServers(after: last, limit: Limits.pageRows, at: clock.now())
      last = page.last?.origin
      let inUse = page.filter { $0.devices > 0 }
      all += inUse.count
      used = Array(
        (used + inUse).sorted { ($1.devices, $0.origin) < ($0.devices, $1.origin) }
          .prefix(Self.pushServersMaximum))
    } while page.count == Limits.pageRows
    return (used, all - used.count)
  }
}
