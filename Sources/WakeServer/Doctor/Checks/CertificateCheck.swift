internal import CryptoPrimitives
internal import PushDelivery

/// The certificate that the public URL shows.
struct CertificateCheck {
  let origin: String
  let clock: WallClock

  private static let renew = """
    renew it (certbot renew, or your proxy's own way); one of the service's own: wake tls init --force, and pair \
    every phone again
    """

  /// One that was not taken, or no TLS at all.
  func finding(of fault: ConnectionFault) -> DoctorFinding {
    guard case .certificate(let certificate) = fault else {
      return .fault(
        .certificate, "\(origin): \(fault.words(of: "it"))",
        cause: "WAKE_PUBLIC_URL says https, and what stands there does not speak it",
        fix: "turn TLS on: wake tls init, or a proxy in front that speaks it; or correct WAKE_PUBLIC_URL")
    }
    let fix =
      switch certificate {
      case .otherName:
        "get one for that name; one of the service's own: wake tls init --force --host NAME; or correct WAKE_PUBLIC_URL"
      case .expired: Self.renew
      case .notYetValid: "check this machine's clock first; otherwise \(Self.renew)"
      case .selfSigned, .unknownAuthority:
        """
        have the proxy show its whole chain, of an authority that phones know; or let the service show its own \
        certificate, which phones pin: wake tls init
        """
      case .revoked, .other: Self.renew
      }
    return .fault(
      .certificate, "the certificate of \(origin) \(certificate.words)",
      cause: "phones refuse to speak to the service", fix: fix)
  }

  /// One that was shown; with a `pin`, whatever it is.
  func finding(shown pem: [UInt8]?, pin: String?, isSecure: Bool) -> DoctorFinding {
    guard isSecure else { return plain() }
    guard let certificate = pem.flatMap({ try? Certificate(firstOf: $0) }) else {
      return .ok(.certificate, "phones take the one of \(origin)")
    }
    if let pin, certificate.fingerprint != pin {
      return .fault(
        .certificate, "\(origin) shows another certificate than the one in the state folder",
        cause: "phones pin the service's own certificate, and something else answers at the address",
        fix:
          "let WAKE_PUBLIC_URL lead to this service; behind a proxy, name that in WAKE_TRUSTED_PROXIES and pair again"
      )
    }
    let end = certificate.notAfterSeconds * 1_000
    let day = String(Presentation.time(end).prefix(10))
    let left = end - clock.now()
    if left <= 0 {
      return .fault(
        .certificate, "the certificate of \(origin) has expired on \(day)",
        cause: "phones refuse to speak to the service", fix: Self.renew)
    }
    guard left >= CertificateWatch.warningMilliseconds else {
      return .warning(
        .certificate, "the certificate of \(origin) ends on \(day)",
        cause: "what should have renewed it has not", fix: Self.renew)
    }
    return .ok(.certificate, "\(pin == nil ? "phones take it" : "phones pin it"); it is valid until \(day)")
  }

  private func plain() -> DoctorFinding {
    guard case .inTheClear? = PairingWarning(baseURL: origin) else {
      return .skipped(.certificate, "\(origin) is plain http")
    }
    return .warning(
      .certificate, "\(origin) is plain http", cause: "tokens and alerts can be read by anybody on the way",
      fix:
        "make a certificate (wake tls init), set WAKE_PUBLIC_URL to https\(origin.dropFirst("http".count)), which it "
        + "must be from then on, start `wake serve` again, and pair phones anew; or put a proxy in front that speaks TLS"
    )
  }
}
