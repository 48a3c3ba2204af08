/// How requests were answered since the start. Pure values; bounded by the table of routes.
struct RequestCounts: Sendable {
  /// What a request asked for, in words that no client chooses.
  struct Subject: Sendable, Hashable {
    let method: String
    let route: String

    /// What no route takes.
    static let none = Subject(method: "other", route: "none")

    /// As it stands in the log.
    var text: String { self == .none ? "a request that no route takes" : "\(method) \(route)" }
  }

  private struct Place: Hashable {
    let listener: String
    let subject: Subject
  }

  /// Classes of final statuses: 2xx to 5xx.
  private static let classes = 2...5

  private var statuses: [Place: [UInt64]] = [:]
  private var durations: [Subject: Histogram] = [:]
  private var problems: [ProblemCode: UInt64] = [:]

  mutating func answered(
    _ subject: Subject, through listener: String, status: Int, problem: ProblemCode?, seconds: Double?
  ) {
    let index =
      min(max(status / 100, Self.classes.lowerBound), Self.classes.upperBound) - Self.classes.lowerBound
    statuses[
      Place(listener: listener, subject: subject), default: Array(repeating: 0, count: Self.classes.count)][
        index] += 1
    if let seconds { durations[subject, default: Histogram(Histogram.requestBounds)].observe(seconds) }
    if let problem { problems[problem, default: 0] += 1 }
  }

  func write(to exposition: inout Exposition) {
    exposition.write(
      .httpRequests,
      statuses.sorted { Self.order($0.key) < Self.order($1.key) }.flatMap { place, counts in
        zip(Self.classes, counts).map {
          .init([place.listener, place.subject.method, place.subject.route, "\($0)xx"], .count($1))
        }
      })
    exposition.write(
      .httpRequest,
      durations.sorted { ($0.key.route, $0.key.method) < ($1.key.route, $1.key.method) }.map {
        .init([$0.method, $0.route], .histogram($1))
      })
    exposition.write(
      .httpProblems, ProblemCode.allCases.map { .init([$0.rawValue], .count(problems[$0] ?? 0)) })
  }

  private static func order(_ place: Place) -> (String, String, String) {
    (place.listener, place.subject.route, place.subject.method)
  }
}

extension RequestCounts.Subject {
  /// What the table of routes says of a request; HEAD is what it is for GET.
  init(_ match: Router.Match) {
    guard case .route(let route, _) = match else {
      self = .none
      return
    }
    self.init(method: route.method, route: route.pattern.text)
  }
}

extension Door {
  /// What the listener is called in metrics and in the log.
  package var listener: String {
    switch self {
    case .everyone: "public"
    case .admin: "admin"
    case .adminByToken: "admin-tcp"
    }
  }
}
