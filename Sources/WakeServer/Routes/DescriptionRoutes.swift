internal import HTTPListener

/// `/v1/openapi.json`: this interface, described.
enum DescriptionRoutes {
  static let routes = [
    Route("GET", "/v1/openapi.json", door: nil, access: .anyone) { _ in answer }
  ]

  /// It is the same for everybody and for as long as the program runs.
  private static let answer = HTTPResponse(
    status: 200, headers: [("Content-Type", MediaType.json), ("Cache-Control", "max-age=3600")],
    body: Array(OpenAPIDocument.json.utf8))
}
