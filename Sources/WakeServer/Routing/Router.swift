/// Finds the route of a request.
package struct Router: Sendable {
  /// What the table says of a request.
  package enum Match: Sendable {
    case route(Route, parameters: [String: String])
    /// The path is there, not for this method; these are, sorted.
    case otherMethods([String])
    case nothing
  }

  package let routes: [Route]

  package init(_ routes: [Route]) { self.routes = routes }

  /// Looks a method and a path up among the routes of one door. HEAD is answered by the route for GET.
  package func match(method: String, path: String, door: Door) -> Match {
    let wanted = method == "HEAD" ? "GET" : method
    var others: Set<String> = []
    for route in routes where door.opens(route.door) {
      guard let parameters = route.pattern.match(path) else { continue }
      if route.method == wanted { return .route(route, parameters: parameters) }
      others.insert(route.method)
    }
    guard !others.isEmpty else { return .nothing }
    if others.contains("GET") { others.insert("HEAD") }
    others.insert("OPTIONS")
    return .otherMethods(others.sorted())
  }
}
