internal import PushDelivery

/// Why a push server's TLS is not taken, as a finding.
struct TLSFault {
  let finding: DoctorFinding

  init(_ fault: ConnectionFault, origin: String) {
    guard case .certificate(let certificate) = fault else {
      finding = .fault(
        .tls, fault.words(of: origin), cause: "no connection that nobody else can read comes about",
        fix: "turn TLS 1.2 or 1.3 on at the push server; where it has none, its endpoints must begin with http://")
      return
    }
    let fix =
      switch certificate {
      case .expired: "renew the certificate at the push server; until then no wake reaches it"
      case .notYetValid: "check this machine's clock (timedatectl); then the push server's certificate"
      case .otherName: "the push server needs a certificate for the name in its endpoints; or set its base URL to that name"
      case .selfSigned:
        "if this push server is your own, trust its certificate and start `wake serve` again: WAKE_PUSH_CA_FILE=FILE"
      case .unknownAuthority:
        "have the push server show its whole chain; an authority of your own is named by WAKE_PUSH_CA_FILE=FILE"
      case .revoked, .other: "get the push server a new certificate"
      }
    finding = .fault(
      .tls, "the push server's certificate \(certificate.words)",
      cause: "whoever shows this certificate cannot be told from somebody else", fix: fix)
  }
}
