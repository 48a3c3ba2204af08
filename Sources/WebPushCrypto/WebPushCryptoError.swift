import CryptoPrimitives

/// Everything that can be wrong with a message or a token, one case for each kind of fault. No case carries a key,
/// a token or a part of a message.
public enum WebPushCryptoError: Error, Equatable, Sendable {
  // Encrypted content (RFC 8188 §2) and messages (RFC 8291 §4).

  /// The body ends before its header or its first record does.
  case truncated
  /// `rs` is below 18 (RFC 8188 §2.1).
  case recordSizeTooSmall
  /// `rs` does not fit its four octets.
  case recordSizeTooLarge
  /// The salt has not 16 octets.
  case saltLength
  /// `keyid` has more octets than the header has room for, or not the 65 of a public key (RFC 8291 §4).
  case keyidLength
  /// `keyid` is not an uncompressed point on P-256.
  case keyidNotAPoint
  /// A message is not one record: it is longer than `rs` (RFC 8291 §4).
  case notOneRecord
  /// A record that is not the last does not fill `rs`, or there is no record.
  case recordLength
  /// A record was changed, or another key, secret or salt belongs to it.
  case authenticationFailed
  /// No delimiter, 0x01 in the last record or 0x02 before it: the content is damaged or cut off.
  case badDelimiter
  /// The plaintext and its padding do not fit; `maximum` octets would.
  case plaintextTooLong(maximum: Int)
  /// A body of a wanted length outside 103 to 4096 octets.
  case bodyLength
  /// Padding below zero.
  case paddingLength

  // Tokens (RFC 8292).

  /// A private key is not 32 octets from 1 to n - 1.
  case privateKey
  /// An audience is not an origin in lower case without a default port and without a path (RFC 8292 §2).
  case audience
  /// An expiry is not an integer above zero (RFC 8292 §2).
  case expiry
  /// A subject is empty or too long.
  case subject
  /// The header field is not `vapid t=…, k=…` (RFC 8292 §3).
  case authorizationMalformed
  /// `t` is not an ES256 token of three canonical base64url parts with the claims it needs.
  case tokenMalformed
  /// `k` is not a public key of 65 octets on P-256.
  case tokenKey
  /// `k` did not sign `t`.
  case tokenSignature

  /// OpenSSL failed where it should not; the text names the operation.
  case cryptography(String)
}

extension WebPushCryptoError {
  /// What the layer below says, in this module's words.
  init(_ error: CryptoError) {
    switch error {
    case .authenticationFailed: self = .authenticationFailed
    case .openSSL, .invalidPoint, .invalidScalar, .invalidLength, .invalidCertificate:
      self = .cryptography(error.description)
    }
  }
}
