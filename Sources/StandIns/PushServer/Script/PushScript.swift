package import HTTPListener

/// What a tester wrote down: which endpoints are answered how, one request after the other.
package struct PushScript: Sendable {
  /// What happens to one request.
  package struct Answer: Sendable {
    /// What is said.
    package enum Deed: Sendable {
      /// What the push server that is played would say.
      case asPlayed
      case answer(HTTPResponse)
      case fault(HostileFault)
    }

    package var deed: Deed
    /// How long it takes.
    package var delayMilliseconds: Int
    /// How many requests in a row are answered so.
    package var times: Int
  }

  /// What comes when all answers of a rule were given.
  package enum After: String, Sendable, CaseIterable {
    /// The last of them, for ever.
    case last
    /// The first again, and so on.
    case again
    /// What the push server that is played would say.
    case played
  }

  /// Endpoints, and the answers that they get in turn, all of them together.
  package struct Rule: Sendable {
    package let paths: PathPattern
    package let answers: [Answer]
    package let after: After

    /// The answer to a request, `index` of which came before; nil for what is played.
    package func answer(at index: Int) -> Answer? {
      let all = answers.reduce(0) { $0 + $1.times }
      var index = index
      if index >= all {
        switch after {
        case .last: return answers.last
        case .again: index %= all
        case .played: return nil
        }
      }
      for answer in answers {
        if index < answer.times { return answer }
        index -= answer.times
      }
      return nil
    }
  }

  /// The rules; the first whose pattern a path matches is the one.
  package let rules: [Rule]

  /// Whether an answer is a fault that an HTTP library cannot commit.
  package var hasFaults: Bool {
    rules.contains { rule in rule.answers.contains { if case .fault = $0.deed { true } else { false } } }
  }
}
