import EndpointRegistry
import Testing
import WakeServer

/// A route of the table with everything that a request to it needs, so that a test can ask all of them alike.
struct RouteVisit: Sendable {
  let route: Route
  /// The path with all places filled in.
  let path: String
  /// A token that may call it; nil where none is needed.
  let token: String?

  var door: Door { route.door ?? .everyone }
  /// The route as it stands in the table.
  var name: String { "\(route.method) \(route.pattern.text)" }

  /// Every route of a service, for one phone of it.
  static func all(of service: TestService, _ phone: Phone) async throws -> [RouteVisit] {
    let code = try await service.pairingCode()
    let pairing = try PairingID(of: #require(Token(code))).text
    return try service.application.routes.map { route in
      let path = route.pattern.text.replacing("{stack}", with: service.stack.id.text)
        .replacing("{device}", with: phone.device).replacing("{pairing}", with: pairing)
      // A place that nobody fills in here would be looked for, and not found.
      try #require(!path.contains("{"), "\(route.pattern.text)")
      return RouteVisit(route: route, path: path, token: token(of: route, service, phone, code))
    }
  }

  private static func token(of route: Route, _ service: TestService, _ phone: Phone, _ code: String)
    -> String?
  {
    switch route.access {
    case .anyone, .operatorOnly: nil
    case .device: phone.token
    case .stack(let classes):
      classes.contains(.hook) ? service.hookToken.text : classes.contains(.device) ? phone.token : code
    }
  }
}

extension Rates {
  /// Nothing is held to a rate.
  static var none: Rates {
    var rates = Rates()
    (rates.hook, rates.changes, rates.tests) = (nil, nil, nil)
    return rates
  }
}
