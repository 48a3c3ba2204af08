extension NetworkReason {
  /// The reason that a row's words give; nil for words that are not one of these.
  init?(words: String) {
    if let exact = NetworkReason(rawValue: words) {
      self = exact
    } else if words.hasPrefix(Self.certificateUntrusted.rawValue) {
      self = .certificateUntrusted
    } else {
      return nil
    }
  }

  /// What to do about it.
  package func explanation(_ origin: String?) -> Explanation {
    let server = origin.named
    let certificates = origin.map { "(curl -v \($0)/ shows it)" } ?? ""
    let (cause, fix) =
      switch self {
      case .closedWithoutAnswer:
        (
          "\(server) closed the connection without an answer.",
          "\(origin.withTLS ?? "See") that a push server, and no other program, answers at that port, and that scheme and port are right: \(origin.tryout)"
        )
      case .noConnection:
        (
          "No connection to \(server) came about in time: something between drops the packets.",
          "Check its address and port, and the firewalls on both machines and between: \(origin.tryout)"
        )
      case .noAnswer:
        (
          "\(server) took the connection and did not answer in time.",
          "See that it is not overloaded or hung, and look in its log. Where the app is its own push server (wake companion), see that it runs. Some answer only when the phone is online."
        )
      case .queueFull, .namesCrowded:
        (
          "Too many wakes were waiting; this one was not sent.",
          "Nothing has to be done: the next alert sends a new wake. If it happens often, set a longer WAKE_WINDOW."
        )
      case .silentQueueFull:
        (
          "\(server) does not answer, and too many wakes wait for it; this one was not sent.",
          "See that the push server runs: \(origin.tryout)"
        )
      case .foundGone:
        (
          "Another wake found that \(server) does not know the endpoint any more; this one was not sent.",
          Explanations.registerAgain
        )
      case .notHTTP:
        (
          "What answers at \(server) does not speak HTTP.",
          "\(origin.withTLS ?? "See") that a push server, and no other program, answers at that port: https where it has TLS, http where it has not."
        )
      case .tooMuch:
        (
          "\(server) sent far more than a push server has to say, and was cut off.",
          "See that a push server, and no other program, answers at that port."
        )
      case .notSentBeforeStop:
        (
          "The service was stopping; this wake was not sent.",
          "Nothing has to be done: the device gets a wake after the start."
        )
      case .stoppedUnderWay:
        (
          "The service stopped before an answer came; the wake may have arrived.",
          "Nothing has to be done: no wake is sent twice, and the next alert sends a new one."
        )
      case .connectionRefused:
        (
          "Nothing listens at \(server).",
          "Start the push server, or correct its port: \(origin.tryout)"
        )
      case .networkUnreachable:
        (
          "There is no way from this machine to the network of \(server).",
          "Check this machine's network and routes (ip route), IPv6 too: \(origin.tryout)"
        )
      case .notConnected:
        ("No connection to \(server) could be made.", "See that it runs: \(origin.tryout)")
      case .certificateOtherName:
        (
          "The certificate of \(server) is for another name.",
          "Get a certificate there for that name \(certificates), or have the app register with the name that it is for."
        )
      case .certificateNotYetValid:
        (
          "The certificate of \(server) is not valid yet, by this machine's clock.",
          "Set this machine's clock: timedatectl set-ntp true"
        )
      case .certificateExpired:
        (
          "The certificate of \(server) has expired, by this machine's clock.",
          "Renew it there and reload the push server \(certificates). If it is valid, set this machine's clock: timedatectl set-ntp true"
        )
      case .certificateSelfSigned:
        (
          "The certificate of \(server) is self-signed.",
          "If the push server is your own, \(origin.trustingCertificate) If it is not, it needs one of a public authority."
        )
      case .certificateUnknownAuthority:
        (
          "The certificate of \(server) is of an authority that this machine does not trust, or its chain is incomplete.",
          "If the authority is your own, copy its certificate to push.pem, or \(origin.trustingCertificate) If it is not, the push server has to send its whole chain."
        )
      case .certificateRevoked:
        ("The certificate of \(server) was revoked.", "Get a new one there.")
      case .certificateUntrusted:
        (
          "The certificate of \(server) is not trusted.",
          "See what is wrong with it: \(origin.tryout)"
        )
      case .authoritiesUnreadable:
        (
          "The file of authorities that WAKE_PUSH_CA_FILE names cannot be read, and no wake goes to a push server with TLS without it.",
          "Put the authority's certificate there in PEM form, readable by the user that the service runs as: it is read anew within a minute. Or take WAKE_PUSH_CA_FILE out of the settings and restart."
        )
      case .notEncrypted:
        (
          "The wake could not be encrypted or signed.",
          "Have the app register again. If that does not help, this is a fault of the service: please report it."
        )
      }
    return Explanation(cause.beginning, fix: fix)
  }
}

extension NameResolutionError {
  /// The error that a row's words give; nil for words that are not one of these.
  init?(words: String) {
    guard let error = Self.allCases.first(where: { $0.detail == words }) else { return nil }
    self = error
  }

  /// What to do about it.
  package func explanation(_ origin: String?) -> Explanation {
    let name = origin.map { "the name in \($0)" } ?? "the push server's name"
    let resolution =
      "Check this machine's name resolution: resolvectl status, and the name servers in /etc/resolv.conf"
    return switch self {
    case .noSuchName:
      Explanation(
        "The name servers know no address for \(name).",
        fix:
          "Check its spelling and its DNS record. A name of your own network needs that network's name server in /etc/resolv.conf."
      )
    case .noAnswer: Explanation("No name server answered when asked for \(name).", fix: resolution)
    case .failed: Explanation("The name servers gave no usable answer for \(name).", fix: resolution)
    case .timedOut: Explanation("The name servers were too slow to answer for \(name).", fix: resolution)
    }
  }
}

extension Explanation {
  /// What libcurl says of a transfer that failed in a way that has no words of ours: it ends with its code.
  static func handshake(_ words: String, _ origin: String?) -> Explanation? {
    guard words.hasSuffix("(libcurl \(CurlCode.handshake))") else { return nil }
    return noTLS(origin)
  }

  private enum CurlCode {
    /// `CURLE_SSL_CONNECT_ERROR` (`curl/curl.h`).
    static let handshake = 35
  }
}
