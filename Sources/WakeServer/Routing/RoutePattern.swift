/// A path with named places: `/v1/stacks/{stack}/devices/{device}`.
package struct RoutePattern: Sendable {
  private enum Segment: Sendable {
    case literal(Substring)
    case parameter(String)
  }

  /// The pattern as it stands in the route table and in the API description.
  package let text: String
  private let segments: [Segment]

  package init(_ text: String) {
    self.text = text
    segments = Self.split(text).map { segment in
      segment.hasPrefix("{") && segment.hasSuffix("}")
        ? .parameter(String(segment.dropFirst().dropLast())) : .literal(segment)
    }
  }

  /// What stands in the named places of `path`, or nil where the path is another.
  ///
  /// The path is taken as it came: nothing of ours needs percent-encoding, so an encoded octet matches nothing.
  package func match(_ path: String) -> [String: String]? {
    let parts = Self.split(path)
    guard parts.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, segment) in zip(parts, segments) {
      switch segment {
      case .literal(let literal): guard part == literal else { return nil }
      case .parameter(let name):
        guard !part.isEmpty else { return nil }
        parameters[name] = String(part)
      }
    }
    return parameters
  }

  private static func split(_ path: String) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }
}
