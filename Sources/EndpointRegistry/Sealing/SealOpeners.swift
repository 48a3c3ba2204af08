internal import CryptoPrimitives
internal import Synchronization

/// What opens sealed columns on all threads under one key, as long as it lives. A thread has one opener for the length of
/// one column, and nobody waits: who finds none free makes one for the column at hand.
final class SealOpeners: Sendable {
  /// More than the cores of a machine that this runs on; a place that was never used holds nothing.
  private static let kept = 16

  private final class Place: Sendable {
    let opener = Mutex<AESGCMOpener?>(nil)
  }

  private let places = (0..<kept).map { _ in Place() }
  private let key: SecretOctets

  init(key: SecretOctets) { self.key = key }

  /// The plaintext of `nonce ‖ ciphertext ‖ tag`.
  func open(_ sealed: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
    for place in places {
      let plaintext = try place.opener.withLockIfAvailable { (opener) throws(CryptoError) in
        if opener == nil { opener = try makeOpener() }
        return try opener!.open(sealed, associatedData: associatedData)
      }
      if let plaintext { return plaintext }
    }
    return try makeOpener().open(sealed, associatedData: associatedData)
  }

  private func makeOpener() throws(CryptoError) -> AESGCMOpener {
    try AESGCMOpener(key: key.octets)
  }
}
