/// A kind of alert whose audience is part of its type.
public protocol AlertKind: Sendable {
  /// Whom alerts of this kind reach.
  associatedtype Recipient: Audience
}

/// The closed list: what a stack can have to say. Every alert names exactly one.
///
/// This is the only place in the program that knows a kind's name. Names match exactly: no case folding, no
/// trimming, no normalisation. The order of the cases is the order of the list everywhere.
public enum Kind: String, CaseIterable, AlertKind, Comparable {
  /// Requests and members are told to the operator too, never to a member.
  public typealias Recipient = Operator

  case problem
  case completion
  case update
  case backup
  case request
  case member

  /// The kind of this exact name, or nil.
  ///
  /// Compared octet by octet: Swift's own `==` takes canonically equivalent Unicode for the same.
  public init?(exactly name: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name.utf8) }) else {
      return nil
    }
    self = kind
  }

  /// The name on the wire and in the store.
  public var name: String { rawValue }

  /// The name of the audience on the wire.
  public var audience: String { Recipient.name }

  /// Whether a stack may keep alerts of this kind from waking anybody unless one asks for it: a job that ended may be
  /// no news to whoever started it.
  public var mayBeQuiet: Bool { self == .completion }

  /// One line for people.
  public var summary: String {
    switch self {
    case .problem: "Something on the stack is broken or at risk, or has just recovered."
    case .completion: "A job that somebody started has ended."
    case .update: "An update is ready, was installed, or could not be."
    case .backup: "A backup was made, is overdue, or failed."
    case .request: "Somebody asks the operator to decide something."
    case .member: "Something about the people who use the stack: one joined, left or changed."
    }
  }

  /// List order.
  public static func < (left: Kind, right: Kind) -> Bool { left.position < right.position }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.endIndex }

  /// `kinds` without doubles and in list order: the one form in which a list of kinds is kept and shown.
  public static func inListOrder(_ kinds: some Sequence<Kind>) -> [Kind] {
    let named = Set(kinds)
    return allCases.filter(named.contains)
  }
}
