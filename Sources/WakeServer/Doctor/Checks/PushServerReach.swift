internal import PushDelivery

/// The way to a push server, step by step and without a wake: its name, the address policy, the connection, TLS.
struct PushServerReach: Sendable {
  /// The links that it looks at, in this order.
  static let links: [DoctorLink] = [.nameResolution, .addressPolicy, .connection, .tls]

  let policy: AddressPolicy
  let settings: DoctorSettings
  /// Whether the file of further authorities cannot be read, which is told elsewhere: then no certificate is judged.
  var lacksAuthorities = false

  /// What is said of a link that hangs on that file.
  static let behindAuthorities = "not looked at: the \(DoctorLink.configuration.title) comes first"

  /// What was found, up to the first fault.
  ///
  /// - Parameters:
  ///   - url: an endpoint, or an origin with a slash; nothing of its path is used or told.
  ///   - origin: what is told of it.
  func findings(_ url: String, origin: String) async -> [DoctorFinding] {
    let destination: Destination
    do throws(EndpointRefusal) { destination = try policy.destination(from: url) } catch {
      return [
        DoctorFinding.fault(
          .addressPolicy, "wakes must not go to \(origin)", allowing(origin, error.explanation(origin))
        ).about(origin)
      ]
    }
    return await findings(destination).map { $0.about(origin) }
  }

  private func findings(_ destination: Destination) async -> [DoctorFinding] {
    let origin = destination.origin
    let naming = Stopwatch()
    let addresses: [IPAddress]
    switch await settings.probe.addresses(of: destination) {
    case .success(let found): addresses = found
    case .failure(let error):
      return [
        DoctorFinding.fault(.nameResolution, error.detail, error.explanation(origin)).took(
          naming.milliseconds)
      ]
    }
    let list = addresses.prefix(Self.addressesTold).map(\.description).joined(separator: ", ")
    var findings = [DoctorFinding.ok(.nameResolution, list).took(naming.milliseconds)]
    let judging = Stopwatch()
    for address in addresses {
      guard let refusal = policy.refusal(of: address, for: destination) else { continue }
      return findings + [refused(address, refusal, origin).took(judging.milliseconds)]
    }
    findings.append(.ok(.addressPolicy, "wakes may go there").took(judging.milliseconds))
    let policy = policy
    let report = await settings.probe.connect(
      to: destination, at: addresses,
      trusting: lacksAuthorities ? .anyCertificate : .authorities(caFile: settings.pushCAFile),
      refusal: { policy.refusal(of: $0, for: destination) })
    switch report.fault {
    case nil: findings.append(.ok(.connection, "made").took(report.connectMilliseconds))
    case .denied(let address, let refusal)?: return findings + [refused(address, refusal, origin)]
    case .some(let fault) where fault.isOfTLS && lacksAuthorities:
      findings.append(.ok(.connection, "made").took(report.connectMilliseconds))
    case .some(let fault) where fault.isOfTLS:
      findings.append(.ok(.connection, "made").took(report.connectMilliseconds))
      return findings + [
        DoctorFinding.fault(.tls, fault.words(of: origin), fault.explanation(origin))
          .took(report.tlsMilliseconds ?? 0)
      ]
    case .some(let fault):
      return findings + [
        DoctorFinding.fault(.connection, fault.words(of: origin), fault.explanation(origin))
          .took(report.connectMilliseconds)
      ]
    }
    guard !lacksAuthorities || destination.scheme != .https else {
      return findings + [.skipped(.tls, Self.behindAuthorities)]
    }
    findings.append(
      report.tlsMilliseconds.map { .ok(.tls, "its certificate is trusted").took($0) }
        ?? .skipped(.tls, "the endpoint is plain http"))
    return findings
  }

  /// Addresses of a name that are told: a page of any name server's answers has no more.
  private static let addressesTold = 4

  private func refused(_ address: IPAddress, _ refusal: AddressRefusal, _ origin: String) -> DoctorFinding {
    let why = refusal.explanation(address: address, origin: origin)
    return .fault(
      .addressPolicy, "\(origin) is at \(address)", refusal == .ownListener ? why : allowing(origin, why))
  }

  /// The same with the exact line to set, where naming the push server is what mends it.
  private func allowing(_ origin: String, _ why: Explanation) -> Explanation {
    guard why.fix.contains(PushAllowList.variable) else { return why }
    let value = (settings.pushAllow + [origin]).joined(separator: ",")
    return Explanation(why.cause, fix: "\(why.fix) The line: \(PushAllowList.variable)=\(value)")
  }
}
