import HTTPListener
import StrictJSON
import TestSupport
import Testing
import WakeServer

@Suite("Methods and paths, on every route")
struct RouteMethodTests {
  /// The methods of RFC 9110 and RFC 5789, some that are of no registry, and known ones in another case.
  private static let methods = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "PROPFIND", "BREW", "get",
    "Post", "X",
  ]

  /// The methods of each path behind a door, as the table has them and RFC 9110 completes them.
  private static func allowed(_ service: TestService, _ door: Door) -> [String: Set<String>] {
    var allowed: [String: Set<String>] = [:]
    for route in service.application.routes where route.door == nil || route.door == door {
      allowed[route.pattern.text, default: ["OPTIONS"]].formUnion(
        route.method == "GET" ? ["GET", "HEAD"] : [route.method])
    }
    return allowed
  }

  @Test(
    "every path names its methods to OPTIONS, and answers any other with 405 and the same list, token or not",
    arguments: Transport.allCases)
  func methods(transport: Transport) async throws {
    try await TestService.with(transport, delivers: false) { service in
      let phone = try await service.phone()
      for door in [Door.everyone, .admin] {
        let allowed = Self.allowed(service, door)
        #expect(allowed.count >= 10)
        let paths = try await RouteVisit.all(of: service, phone).filter {
          $0.route.door == nil || $0.door == door
        }
        for visit in paths {
          let methods = try #require(allowed[visit.route.pattern.text])
          let list = methods.sorted().joined(separator: ", ")
          let options = try await service.send("OPTIONS", visit.path, door: door)
          #expect(options.status == 204 && options.body.isEmpty, "\(visit.name)")
          #expect(options.header("Allow") == list, "\(visit.name)")
          // libcurl opens a tunnel for CONNECT.
          for method in Self.methods where !methods.contains(method) && method != "CONNECT" {
            let reply = try await service.send(method, visit.path, door: door)
            #expect(reply.status == 405, "\(method) \(visit.path): \(reply.status)")
            #expect(reply.header("Allow") == list, "\(method) \(visit.path)")
            let hasBody = method != "HEAD" || transport == .call
            #expect(reply.code == (hasBody ? "method-not-allowed" : nil), "\(method) \(visit.path)")
          }
        }
      }
    }
  }

  @Test("HEAD is answered as GET is, with the same status and fields, and without a body")
  func head() async throws {
    try await TestService.with(.socket, delivers: false) { service in
      let phone = try await service.phone()
      let port = try service.port
      for visit in try await RouteVisit.all(of: service, phone)
      where visit.route.method == "GET" && visit.door == .everyone && visit.route.door != .admin {
        let fields = visit.token.map { [("Authorization", "Bearer \($0)")] } ?? []
        let path = visit.path
        let isStream = visit.path.hasSuffix("/events")
        let answers = try await onOwnThread { () -> [RawHTTPAnswer?] in
          let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
          let head = try connection.exchange("HEAD", path, headers: fields)
          // What would be a stream has no length, so its connection ends, and nothing came on it.
          if isStream { return try connection.isClosedByPeer() ? [head] : [] }
          // A body after HEAD would be read as the beginning of the next answer.
          return [head, try connection.exchange("GET", path, headers: fields)]
        }
        let head = try #require(answers.first ?? nil, "\(visit.name)")
        #expect(head.status == 200, "\(visit.name)")
        guard !isStream else {
          #expect(head.header("Content-Type") == "text/event-stream")
          continue
        }
        let get = try #require(answers.last ?? nil, "\(visit.name)")
        #expect(get.status == 200 && !get.body.isEmpty, "\(visit.name)")
        for name in ["Content-Type", "Content-Length", "Cache-Control"] {
          #expect(head.header(name) == get.header(name), "\(visit.name): \(name)")
        }
      }
    }
  }

  @Test(
    "a path that is not there is 404 to every method, and never a redirect or another route",
    arguments: [
      "/", "//", "/v1", "/v1/", "/v1//kinds", "/v1/kinds/", "/V1/kinds", "/v1/./kinds", "/v1/x/../kinds",
      "/%76%31/kinds", "/v1%2fkinds", "/v1/kinds;a=b", "/v2/kinds", "/healthz/", "/console", "/favicon.ico",
      "/v1/stacks", "/v1/stacks//alerts",
    ])
  func nowhere(path: String) async throws {
    try await TestService.with(delivers: false) { service in
      for door in [Door.everyone, .admin, .adminByToken] {
        for method in Self.methods {
          let reply = try await service.send(method, path, door: door)
          #expect(reply.status == 404 && reply.code == "not-found", "\(method) \(path)")
          #expect(reply.header("Location") == nil)
        }
      }
    }
  }

  @Test("the public door does not even have the methods of the admin routes")
  func adminRoutes() async throws {
    try await TestService.with(delivers: false) { service in
      let phone = try await service.phone()
      for visit in try await RouteVisit.all(of: service, phone) where visit.route.door == .admin {
        for method in Self.methods {
          #expect(try await service.send(method, visit.path).status == 404, "\(method) \(visit.path)")
        }
      }
    }
  }
}
