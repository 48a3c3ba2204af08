internal import CryptoPrimitives
internal import HTTPClient
internal import HTTPListener
internal import PushDelivery

/// Whether the address that phones have for the service leads to this very process, by a certificate that they take.
struct PublicURLCheck {
  /// As long as a phone would wait.
  private static let timeoutMilliseconds = 5_000

  let settings: DoctorSettings
  let visits: DoctorVisits
  let clock: WallClock

  func findings() async -> [DoctorFinding] {
    guard let url = settings.publicURL() else {
      return [
        .warning(
          .publicURL, "nobody said how phones reach the service",
          cause: "links of `wake pair` have no address that phones can use",
          fix: "set WAKE_PUBLIC_URL to the address that phones have for it: https://wake.example"),
        .skipped(.certificate, "there is no public URL to show it"),
      ]
    }
    let watch = Stopwatch()
    guard let destination = try? ConnectionProbe.destination(of: "\(url)/healthz") else {
      return broken("it is not of the form https://HOST or https://HOST/PATH", .wrongURL, watch)
    }
    let origin = destination.origin
    let addresses: [IPAddress]
    switch await settings.probe.addresses(of: destination) {
    case .success(let found): addresses = found
    case .failure(let error): return broken("\(origin): \(Self.words(error))", .name, watch)
    }
    let pin = destination.scheme == .https ? settings.pinnedFingerprint() : nil
    let report = await settings.probe.connect(
      to: destination, at: addresses,
      trusting: pin == nil ? .authorities(caFile: settings.phoneCAFile) : .anyCertificate,
      refusal: { _ in nil })
    if let fault = report.fault {
      guard fault.isOfTLS else {
        return broken(
          "\(origin): \(fault.words(of: "it"))", listeningElsewhere(url, fault) ?? .connection, watch)
      }
      return [
        .skipped(.publicURL, "not looked at: the certificate comes first"),
        CertificateCheck(origin: origin, clock: clock).finding(of: fault).took(watch.milliseconds),
      ]
    }
    var certificate = CertificateCheck(origin: origin, clock: clock)
      .finding(shown: report.certificatePEM, pin: pin, isSecure: destination.scheme == .https)
    if certificate.verdict != .skipped { certificate = certificate.took(report.tlsMilliseconds ?? 0) }
    if certificate.verdict == .fault {
      return [.skipped(.publicURL, "not looked at: the certificate comes first"), certificate]
    }
    let visited = await visit(url, origin, pin, watch)
    return visited.verdict == .fault ? [visited, Self.behind] : [visited, certificate]
  }

  /// Asks for `/healthz` as a phone does, and looks whether the request came in here.
  private func visit(_ url: String, _ origin: String, _ pin: String?, _ watch: Stopwatch) async
    -> DoctorFinding
  {
    let word = visits.expect()
    let client = HTTPClient(
      caFile: settings.phoneCAFile, pinnedCertificate: pin.flatMap(Hex.decode),
      timeoutMilliseconds: Self.timeoutMilliseconds)
    let query = word.map { "?\(DoctorVisits.member)=\($0)" } ?? ""
    let answer: Result<HTTPExchange, HTTPClientError>
    do throws(HTTPClientError) {
      answer = .success(try await client.send("GET", "\(url)/healthz\(query)"))
    } catch {
      answer = .failure(error)
    }
    let cameIn = word.map(visits.forget) ?? true
    let finding: DoctorFinding
    switch answer {
    case .failure where settings.speaksTLS && !settings.hasProxies && url.hasPrefix("http://"):
      finding = fault("\(url) gives no answer in plain http", .plain(url))
    case .failure: finding = fault("\(url) gives no answer that can be read", .answer)
    case .success(let exchange) where exchange.status != okStatus:
      finding =
        PublicURLDetour(of: exchange)?.finding(url)
        ?? fault("\(url) answers with status \(exchange.status)", .answer)
    case .success where !cameIn: finding = fault("another service answers at \(url)", .other)
    case .success:
      if case .unreachable(let host)? = PairingWarning(baseURL: url) {
        finding = .warning(
          .publicURL, "\(origin) leads here, from this machine alone",
          cause: "a phone would look for \(host) on itself",
          fix: "set WAKE_PUBLIC_URL to the address that phones have for it: https://wake.example")
      } else {
        finding = .ok(.publicURL, "\(origin) leads here")
      }
    }
    return finding.took(watch.milliseconds)
  }

  /// What is wrong with the address.
  private enum Fault {
    case wrongURL, name, connection, answer, other
    /// The service listens on loopback alone; where it should instead.
    case loopback(ListenAddress)
    /// The URL is plain http, and the service speaks TLS.
    case plain(String)
  }

  /// Where nothing stands at an address of the network as the service listens on loopback, and no proxy is known.
  private func listeningElsewhere(_ url: String, _ fault: ConnectionFault) -> Fault? {
    guard [.refused, .unreachable].contains(fault), !settings.hasProxies,
      let wide = settings.listening?.onEveryAddress
    else { return nil }
    if case .unreachable? = PairingWarning(baseURL: url) { return nil }
    return .loopback(wide)
  }

  private func broken(_ seen: String, _ fault: Fault, _ watch: Stopwatch) -> [DoctorFinding] {
    [self.fault(seen, fault).took(watch.milliseconds), Self.behind]
  }

  private static let behind = DoctorFinding.skipped(
    .certificate, "not looked at: the public URL comes first")

  private func fault(_ seen: String, _ fault: Fault) -> DoctorFinding {
    let correct =
      "correct WAKE_PUBLIC_URL, start `wake serve` again, and pair phones anew that have the old address"
    let (cause, fix) =
      switch fault {
      case .wrongURL: ("WAKE_PUBLIC_URL is not an address that phones can use", correct)
      case .name:
        (
          "phones cannot find the service by this name: it has no address in the DNS that this machine asks",
          "add the name to the DNS; or \(correct)"
        )
      case .connection:
        (
          "phones cannot reach the service; some routers also lead nobody from inside to their own outer address",
          "check the port forwarding or the proxy, and the port in WAKE_PUBLIC_URL; try the address from a phone"
        )
      case .loopback(let wide):
        (
          "the service listens on \(settings.listening?.description ?? "loopback"), which only this machine reaches",
          "set WAKE_LISTEN=\(wide) and start `wake serve` again; or have a proxy listen there, and name it in WAKE_TRUSTED_PROXIES"
        )
      case .plain(let url):
        (
          "the service itself speaks TLS, and WAKE_PUBLIC_URL says http",
          "set WAKE_PUBLIC_URL=https\(url.dropFirst("http".count)), start `wake serve` again, and pair phones anew"
        )
      case .answer:
        (
          "what stands at the address does not hand requests on to this service",
          "check the proxy's target, which is the address of WAKE_LISTEN; or \(correct)"
        )
      case .other:
        ("the address leads to another service, which does not know these phones", correct)
      }
    return .fault(.publicURL, seen, cause: cause, fix: fix)
  }

  private static func words(_ error: NameResolutionError) -> String {
    switch error {
    case .noSuchName: "the name does not exist, or has no address"
    case .noAnswer: "no name server answered"
    case .failed: "the name could not be resolved"
    case .timedOut: "the name was not resolved in time"
    }
  }
}

private let okStatus = 200
