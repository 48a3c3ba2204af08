/// Whom an alert may reach, as a type.
///
/// A kind names its audience in its type (``AlertKind/Recipient``), and the one audience that exists is the
/// operator: an alert for a member of the household is not refused when it runs, it cannot be written down.
public protocol Audience: Sendable {
  /// The name on the wire.
  static var name: String { get }
}

/// The person who runs the stack.
public enum Operator: Audience {
  /// `operator`.
  public static let name = "operator"
}

/// Why a caller's wish for an audience is not met.
public enum AudienceRefusal: Error, Equatable, Sendable {
  /// Members of a household are never sent alerts, whatever the kind.
  case members
  /// A word that names no audience.
  case unknown
}

extension Audience {
  /// Holds a caller's wish against this audience.
  ///
  /// - Throws: ``AudienceRefusal/members`` for `member`, ``AudienceRefusal/unknown`` for any other word.
  public static func demand(_ wish: String) throws(AudienceRefusal) {
    if wish == name { return }
    throw wish == membersName ? .members : .unknown
  }
}

/// The audience that the contract names only to refuse it.
private let membersName = "member"
