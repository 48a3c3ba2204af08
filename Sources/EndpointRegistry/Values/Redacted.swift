/// A value whose description names its type alone: what it holds must not reach a log, an error or a dump.
package protocol Redacted: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Redacted {
  /// The type's name and nothing of the value.
  package var description: String { "\(Self.self)(<redacted>)" }
  /// The same as `description`.
  package var debugDescription: String { description }
  /// A mirror without children, so that `dump` shows nothing either.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
