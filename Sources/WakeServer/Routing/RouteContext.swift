package import EndpointRegistry
package import HTTPListener
package import PushDelivery
package import StrictJSON

/// What a route's handler is given: the request, who calls, and when.
package struct RouteContext: Sendable {
  package let request: HTTPRequest
  /// What stood in the pattern's named places.
  package let parameters: [String: String]
  /// Who calls; nil where the route needs no token.
  package let caller: Caller?
  /// The address of who sent the request, behind the proxies that are believed; nil for a Unix socket.
  package let client: IPAddress?
  /// What the request is called, in its answer and in the log.
  package let id: RequestID
  /// Milliseconds since 1970 when the request was taken up.
  package let at: Int64

  /// The stack in the path.
  package var stack: StackID {
    get throws(Problem) { try named("stack", StackID.init) }
  }

  /// The device in the path.
  package var device: DeviceID {
    get throws(Problem) { try named("device", DeviceID.init) }
  }

  private func named<Identifier>(_ name: String, _ make: (String) -> Identifier?) throws(Problem)
    -> Identifier
  {
    guard let identifier = parameters[name].flatMap(make) else { throw Problem(RegistryError.notFound) }
    return identifier
  }

  /// The body as a JSON object.
  ///
  /// - Parameter mediaTypes: what `Content-Type` may say; parameters and case do not matter (RFC 9110 §8.3.1).
  package func object(_ mediaTypes: [String] = [MediaType.json]) throws(Problem) -> JSONObject {
    guard let type = request.header("Content-Type").map(MediaType.essence), mediaTypes.contains(type) else {
      throw Problem(
        .unsupportedMediaType, "Send the header field Content-Type: \(mediaTypes.joined(separator: " or ")).")
    }
    let value: JSONValue
    do {
      value = try StrictJSON.parse(
        request.body, limits: JSONLimits(octets: Limits.bodyOctets, depth: Limits.jsonDepth))
    } catch {
      throw Problem(error)
    }
    guard case .object(let object) = value else {
      throw Problem(.malformedRequest, "The body must be a JSON object.")
    }
    return object
  }
}

/// Who calls: the token that was shown, and what it stands for.
package struct Caller: Sendable {
  package let token: Token
  package let credential: Credential
}

/// Media types that requests may carry.
package enum MediaType {
  package static let json = "application/json"
  package static let mergePatch = "application/merge-patch+json"

  /// `type/subtype` in lower case, without parameters.
  static func essence(_ field: String) -> String {
    field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
  }
}
