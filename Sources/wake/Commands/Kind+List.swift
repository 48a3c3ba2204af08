import KindCatalogue

extension Kind {
  /// The kinds that `a,b` names, in list order.
  static func list(_ text: String) throws(CommandError) -> [Kind] {
    var kinds: [Kind] = []
    for name in text.split(separator: ",") {
      guard let kind = Kind(exactly: String(name)) else {
        throw .usage("`\(name)` is no kind; the kinds are \(allCases.map(\.name).joined(separator: ", "))")
      }
      kinds.append(kind)
    }
    return inListOrder(kinds)
  }
}
