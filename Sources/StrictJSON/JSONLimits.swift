/// What a JSON text may cost, checked on its raw octets before any parser sees them.
package struct JSONLimits: Sendable, Equatable {
  /// The longest text that is looked at, in octets.
  package var octets: Int
  /// The deepest nesting of arrays and objects; a scalar has depth 0, `[]` has depth 1.
  package var depth: Int

  /// The longest request body that the service takes: 64 KiB.
  package static let defaultOctets = 65_536
  /// The nesting that the service takes. Its own messages need 4; the rest is room for the `alert` member.
  package static let defaultDepth = 32
  /// The deepest nesting that may be asked for: half of what jansson takes (2048), so that our own check is
  /// always the one that answers and the recursion over the parsed tree stays small.
  package static let depthMaximum = 1_024

  /// Limits in octets and levels; `depth` is cut to `depthMaximum`.
  package init(octets: Int = defaultOctets, depth: Int = defaultDepth) {
    self.octets = octets
    self.depth = min(depth, Self.depthMaximum)
  }
}
