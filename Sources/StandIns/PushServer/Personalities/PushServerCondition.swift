internal import HTTPListener

/// Something that an endpoint asks for by its name, so that a tester can provoke it: `/gone/phone` and `/gone-1` are both
/// endpoints whose subscription has ended.
package struct PushServerCondition: Sendable {
  /// A part of the path, or what such a part begins with, before a `-`.
  package let name: String
  /// What happens, for the list of conditions.
  package let summary: String
  /// How long it takes until the answer goes out.
  let delayMilliseconds: Int
  /// What all endpoints that ask for it may send before the answer is given; nil for nothing.
  let allowance: PushAllowance?
  let answer: @Sendable (ReceivedPush) -> HTTPResponse

  init(
    _ name: String, _ summary: String, delayMilliseconds: Int = 0, beyond allowance: PushAllowance? = nil,
    answer: @escaping @Sendable (ReceivedPush) -> HTTPResponse
  ) {
    self.name = name
    self.summary = summary
    self.delayMilliseconds = delayMilliseconds
    self.allowance = allowance
    self.answer = answer
  }

  /// Whether a part of a path asks for something of this name.
  package static func asks(_ part: Substring, for name: String) -> Bool {
    part == name || part.hasPrefix("\(name)-")
  }
}

extension PushServerCondition {
  /// What every push server takes beside its own conditions: `status-503`, `status-503-after-120`, and either with a
  /// `-` and more behind. Nil for any other part.
  static func status(askedFor part: Substring) -> PushServerCondition? {
    guard let match = part.wholeMatch(of: /status-([2-5][0-9][0-9])(?:-after-([^-]+))?(?:-.*)?/),
      let status = Int(match.output.1)
    else { return nil }
    let headers = match.output.2.map { [(name: "Retry-After", value: String($0))] } ?? []
    return PushServerCondition("status-\(status)", "the status \(status)") { _ in
      HTTPResponse(status: status, headers: headers)
    }
  }
}
