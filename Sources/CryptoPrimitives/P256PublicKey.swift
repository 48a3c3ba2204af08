/// A public key on P-256 that is known to be a point of the curve.
package struct P256PublicKey: Sendable {
  /// Octets of the uncompressed form: 0x04, x and y (SEC 1 §2.3.3).
  package static let length = 1 + 2 * 32

  /// 65 octets, 0x04 first.
  package let uncompressed: [UInt8]
  let point: CurvePoint

  /// Reads the uncompressed form. Throws `invalidPoint` for another length or form, for a coordinate that is not
  /// below the field's prime, and for a point off the curve. The check is not repeated when the key is used.
  package init(uncompressed: [UInt8]) throws(CryptoError) {
    // OpenSSL would also take compressed and hybrid forms and infinity.
    guard uncompressed.count == Self.length, uncompressed[0] == 0x04 else { throw .invalidPoint }
    self.uncompressed = uncompressed
    do throws(CryptoError) {
      point = try CurvePoint(uncompressed: uncompressed)
    } catch {
      throw .invalidPoint
    }
  }

  /// Whether `signature` (64 octets, r ‖ s) is this key's over `message` with SHA-256 (ES256, RFC 7518 §3.4).
  package func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
    guard let der = try? ECDSASignature.reading(fixed: signature).der(),
      let key = try? EVPKey.publicKey(uncompressed: uncompressed)
    else { return false }
    return key.isValidSignature(der: der, forDigest: SHA256.digest(message))
  }
}

extension P256PublicKey: Hashable {
  /// Equal if the same point.
  package static func == (left: P256PublicKey, right: P256PublicKey) -> Bool {
    left.uncompressed == right.uncompressed
  }

  /// Feeds the point.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(uncompressed)
  }
}

extension P256PublicKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Names the type alone: a subscription's key is nobody else's to read.
  package var description: String { "P256PublicKey(<redacted>)" }
  /// The same.
  package var debugDescription: String { description }
  /// Shows nothing to `dump`.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
