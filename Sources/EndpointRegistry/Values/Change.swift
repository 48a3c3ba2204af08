/// What a merge patch (RFC 7396) says of one member.
package enum Change<Value> {
  /// It was not named.
  case keep
  /// It was null.
  case remove
  /// It was given.
  case set(Value)
}

extension Change: Sendable where Value: Sendable {}
extension Change: Equatable where Value: Equatable {}
