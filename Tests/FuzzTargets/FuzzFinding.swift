/// Something that must hold of every input, and did not of one.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// What should have held.
  public let description: String
}

/// Throws a finding unless `condition` holds.
func require(_ condition: Bool, _ claim: @autoclosure () -> String) throws {
  guard condition else { throw FuzzFinding(description: claim()) }
}
