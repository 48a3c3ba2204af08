internal import CryptoPrimitives
internal import Synchronization

/// Workspaces for all threads that encrypt. A thread has one for the length of one message, so there are never more in
/// use than cores, and nobody waits: who finds none free makes one for the message at hand.
enum MessageWorkspaces {
  /// More than the cores of a machine that this runs on; a workspace that was never used holds nothing.
  private static let kept = 16

  private final class Place: Sendable {
    let workspace = Mutex<MessageWorkspace?>(nil)
  }

  private static let places = (0..<kept).map { _ in Place() }

  /// Encrypts `message` in a workspace that nobody else uses meanwhile.
  static func encrypt(
    _ message: borrowing MessageForm, for keys: UserAgentKeys, _ secrets: MessageSecrets
  ) throws(CryptoError) -> [UInt8] {
    for place in places {
      let body = try place.workspace.withLockIfAvailable { (workspace) throws(CryptoError) in
        if workspace == nil { workspace = try MessageWorkspace() }
        return try workspace!.encrypt(message, for: keys, secrets)
      }
      if let body { return body }
    }
    var workspace = try MessageWorkspace()
    return try workspace.encrypt(message, for: keys, secrets)
  }
}
