internal import PushDelivery

/// The way to a push server, step by step and without a wake: its name, the address policy, the connection, TLS.
struct PushServerReach: Sendable {
  /// The links that it looks at, in this order.
  static let links: [DoctorLink] = [.nameResolution, .addressPolicy, .connection, .tls]

  let policy: AddressPolicy
  let settings: DoctorSettings

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
          .addressPolicy, "wakes must not go to \(origin)", cause: Self.cause(error), fix: Self.allow(origin)
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
    case .failure(let error): return [Self.unresolved(error, origin).took(naming.milliseconds)]
    }
    let list = addresses.prefix(Self.addressesTold).map(\.description).joined(separator: ", ")
    var findings = [DoctorFinding.ok(.nameResolution, list).took(naming.milliseconds)]
    for address in addresses {
      guard let refusal = policy.refusal(of: address, for: destination) else { continue }
      return findings + [Self.refused(address, refusal, origin)]
    }
    findings.append(.ok(.addressPolicy, "wakes may go there"))
    let policy = policy
    let report = await settings.probe.connect(
      to: destination, at: addresses, trusting: .authorities(caFile: settings.pushCAFile),
      refusal: { policy.refusal(of: $0, for: destination) })
    switch report.fault {
    case nil: findings.append(.ok(.connection, "made").took(report.connectMilliseconds))
    case .denied(let address, let refusal)?: return findings + [Self.refused(address, refusal, origin)]
    case .some(let fault) where fault.isOfTLS:
      findings.append(.ok(.connection, "made").took(report.connectMilliseconds))
      return findings + [TLSFault(fault, origin: origin).finding.took(report.tlsMilliseconds ?? 0)]
    case .some(let fault):
      return findings + [Self.unconnected(fault, origin).took(report.connectMilliseconds)]
    }
    findings.append(
      report.tlsMilliseconds.map { .ok(.tls, "its certificate is trusted").took($0) }
        ?? .skipped(.tls, "the endpoint is plain http"))
    return findings
  }

  /// Addresses of a name that are told: a page of any name server's answers has no more.
  private static let addressesTold = 4

  private static func unresolved(_ error: NameResolutionError, _ origin: String) -> DoctorFinding {
    let fix =
      switch error {
      case .noSuchName:
        "check the name that the app shows for its push server; where it was renamed, register the app again there"
      case .noAnswer, .failed, .timedOut:
        "check this machine's name servers (/etc/resolv.conf): getent hosts NAME must answer"
      }
    return .fault(.nameResolution, error.detail, cause: "\(origin) cannot be found by this machine", fix: fix)
  }

  private static func refused(_ address: IPAddress, _ refusal: AddressRefusal, _ origin: String) -> DoctorFinding {
    switch refusal {
    case .notPublic(let kind):
      .fault(
        .addressPolicy, "\(origin) is at \(address)", cause: "\(address) is not public (\(kind)), and nobody allowed it",
        fix: allow(origin))
    case .outsideBlocks:
      .fault(
        .addressPolicy, "\(origin) is at \(address)", cause: "\(address) is in no block of WAKE_PUSH_ALLOW",
        fix: allow(origin))
    case .ownListener:
      .fault(
        .addressPolicy, "\(origin) is at \(address)", cause: "this service itself listens there",
        fix: "let the name lead to the push server: its address and its port must be others than the service's own")
    }
  }

  private static func unconnected(_ fault: ConnectionFault, _ origin: String) -> DoctorFinding {
    let fix =
      switch fault {
      case .refused:
        "start the push server, or check the port: in the app, the push server's address must be the one it listens on"
      case .unreachable: "check this machine's network and its default route (ip route)"
      default: "check the firewall between this machine and the push server, and that the push server's host is up"
      }
    return .fault(
      .connection, fault.words(of: origin), cause: "no connection to the push server can be made", fix: fix)
  }

  /// The exact value to add, for a push server of one's own.
  static func allow(_ origin: String) -> String {
    "if this push server is your own, add it and start `wake serve` again: WAKE_PUSH_ALLOW=\(origin)"
  }

  private static func cause(_ refusal: EndpointRefusal) -> String {
    switch refusal {
    case .plainHTTP: "the endpoint is plain http, which only a push server that you name may have"
    case .lowPort: "the endpoint's port is neither 443 nor 1024 or above"
    case .localName: "the endpoint's host is a name of the local machine or network"
    case .address(let kind): "the endpoint's host is not a public address (\(kind))"
    default: refusal.detail
    }
  }
}
