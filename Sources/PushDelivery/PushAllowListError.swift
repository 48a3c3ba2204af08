/// What is wrong with an entry of `WAKE_PUSH_ALLOW`.
package struct PushAllowListError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The entry's place in the list, counted from 1.
  package let position: Int
  /// A sentence that says what is wrong with it and how it is written.
  package let problem: String

  /// One line: which entry, and what is wrong with it.
  package var description: String { "entry \(position) of \(PushAllowList.variable): \(problem)" }
}
