internal import Synchronization

/// Workspaces for HMAC on all threads. A thread has one for the length of one message, and nobody waits: who finds none
/// free makes one for the message at hand.
package enum HMACWorkspaces {
  /// More than the cores of a machine that this runs on; a place that was never used holds nothing.
  private static let kept = 16

  private final class Place: Sendable {
    let workspace = Mutex<HMACWorkspace?>(nil)
  }

  private static let places = (0..<kept).map { _ in Place() }

  /// The tag of `message` under `key`, which has at most 64 octets. Ends the process for a longer one, and where
  /// OpenSSL has no SHA-256, which `Algorithms.prepare` finds at start.
  package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    do throws(CryptoError) {
      for place in places {
        let tag = try place.workspace.withLockIfAvailable { (workspace) throws(CryptoError) in
          if workspace == nil { workspace = try HMACWorkspace() }
          return try workspace!.tag(message, key: key)
        }
        if let tag { return tag }
      }
      var workspace = try HMACWorkspace()
      return try workspace.tag(message, key: key)
    } catch {
      preconditionFailure("HMAC with SHA-256 failed: \(error)")
    }
  }
}

extension HMACWorkspace {
  /// The tag alone: nothing of the key stays.
  fileprivate mutating func tag(_ message: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    defer { cleanse() }
    var tag = [UInt8](repeating: 0, count: SHA256.length)
    try authenticate(message, key: key, into: &tag)
    return tag
  }
}
