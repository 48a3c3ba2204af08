/// A token that an operator gave a name to. The token itself is not known any more.
package struct NamedToken: Sendable, Equatable {
  /// What the operator calls it.
  package let name: String
  /// When it was made.
  package let createdAt: Int64

  /// Both members, for stores and tests.
  package init(name: String, createdAt: Int64) {
    self.name = name
    self.createdAt = createdAt
  }
}
