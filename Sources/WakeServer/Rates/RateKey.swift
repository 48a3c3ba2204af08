internal import EndpointRegistry

/// For whom is counted.
enum RateKey: Hashable, Sendable {
  /// A device, whichever of its tokens is shown: a new one does not begin anew.
  case device(DeviceID)
  /// Any other token, by the first 128 bits of its digest: not the token itself, which would stay in memory.
  case token(UInt64, UInt64)

  init(_ caller: Caller) {
    switch caller.credential {
    case .device(let device, _), .revoked(let device, _):
      self = .device(device)
    case .hook, .pairing, .admin:
      let digest = caller.token.digest
      func number(_ octets: ArraySlice<UInt8>) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
      self = .token(number(digest[0..<8]), number(digest[8..<16]))
    }
  }
}
