/// Names that become values of a label. The first so many keep their own; all further ones share one.
struct BoundedNames: Sendable {
  /// What those are called that came too late.
  static let other = "other"

  private let maximum: Int
  private var indexes: [String: Int] = [:]
  /// The names by their index. The first is ``other``.
  private(set) var names = [other]

  /// Room for `maximum` names beside ``other``.
  init(maximum: Int) { self.maximum = maximum }

  /// Where a name stands, now and from now on.
  mutating func index(of name: String) -> Int {
    if let index = indexes[name] { return index }
    guard indexes.count < maximum else { return 0 }
    let index = names.count
    indexes[name] = index
    names.append(name)
    return index
  }
}
