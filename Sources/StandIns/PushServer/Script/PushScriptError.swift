/// Where a script cannot be read, and why.
package struct PushScriptError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place as a JSON Pointer (RFC 6901), such as `/rules/0/answers/1/status`; empty for the whole.
  package let place: String
  /// What is wrong there: the rest of a sentence that begins with the place.
  package let fault: String

  /// One line.
  package var description: String { place.isEmpty ? fault : "\(place) \(fault)" }
}
