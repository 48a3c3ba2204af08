extension ConnectionFault {
  /// Why no wake gets to the push server at `origin`, and what to do: the words of the table that rows are explained by.
  package func explanation(_ origin: String) -> Explanation {
    switch self {
    case .refused: NetworkReason.connectionRefused.explanation(origin)
    case .unreachable: NetworkReason.networkUnreachable.explanation(origin)
    case .silent: NetworkReason.noConnection.explanation(origin)
    case .authorities: NetworkReason.authoritiesUnreadable.explanation(origin)
    case .certificate(let fault): fault.reason.explanation(origin)
    case .other: NetworkReason.notConnected.explanation(origin)
    case .denied(let address, let refusal): refusal.explanation(address: address, origin: origin)
    case .silentTLS, .handshake: .noTLS(origin)
    }
  }
}

extension CertificateFault {
  /// The same as a reason for which no answer came.
  var reason: NetworkReason {
    switch self {
    case .otherName: .certificateOtherName
    case .notYetValid: .certificateNotYetValid
    case .expired: .certificateExpired
    case .selfSigned: .certificateSelfSigned
    case .unknownAuthority: .certificateUnknownAuthority
    case .revoked: .certificateRevoked
    case .other: .certificateUntrusted
    }
  }
}

extension AddressRefusal {
  /// What the matter is with an address, and what to do.
  package func explanation(address: IPAddress, origin: String) -> Explanation {
    Self.explanation(of: detail(address: address, origin: origin), origin)
      ?? Explanation("Wakes must not go to \(address).", fix: "Have the app register again elsewhere.")
  }
}
