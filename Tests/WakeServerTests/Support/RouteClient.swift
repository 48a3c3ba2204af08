import HTTPClient
import HTTPListener
import StrictJSON
import WakeServer

/// An answer, however it came.
struct Reply: Sendable {
  let status: Int
  let headers: [(name: String, value: String)]
  let body: [UInt8]

  func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body as an object; an empty one where it is none.
  var json: JSONObject {
    guard case .object(let object)? = try? StrictJSON.parse(body, limits: Presentation.answerLimits) else {
      return [:]
    }
    return object
  }

  var code: String? { json["code"]?.string }
}

/// One way to the routes.
protocol RouteClient: Sendable {
  func send(
    _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8], door: Door
  ) async throws -> Reply
  /// Where companions and cores reach the service by TCP; nil where there is no socket.
  var address: String? { get }
  func end() async
}

extension Transport {
  func client(for application: WakeApplication) throws -> any RouteClient {
    switch self {
    case .call: CallClient(application: application)
    case .socket: try SocketClient(application)
    }
  }
}

/// Calls the application: no socket, no HTTP.
struct CallClient: RouteClient {
  let application: WakeApplication
  var address: String? { nil }

  func send(
    _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8], door: Door
  ) async throws -> Reply {
    let request = HTTPRequest(method: method, target: path, headers: headers, body: body)
    let response = await application.respond(to: request, through: door)
    return Reply(status: response.status, headers: response.headers, body: response.body)
  }

  func end() async {}
}

/// Goes through real listeners, one for each door.
struct SocketClient: RouteClient {
  private let everyone: HTTPListener
  private let admin: HTTPListener
  private let adminByToken: HTTPListener
  /// As patient as the slowest route on a machine that does much else: the doctor asks several servers in turn.
  private let http = HTTPClient(timeoutMilliseconds: 30_000)

  var address: String? { "\(everyone.address)" }

  init(_ application: WakeApplication) throws {
    func listener(_ door: Door) throws -> HTTPListener {
      try HTTPListener(
        address: .tcp(host: "127.0.0.1", port: 0), limits: HTTPLimits(),
        refusal: { application.refuse($0, through: door) },
        handler: { await application.respond(to: $0, through: door) })
    }
    everyone = try listener(.everyone)
    admin = try listener(.admin)
    adminByToken = try listener(.adminByToken)
  }

  func send(
    _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8], door: Door
  ) async throws -> Reply {
    let listener =
      switch door {
      case .everyone: everyone
      case .admin: admin
      case .adminByToken: adminByToken
      }
    let exchange = try await http.send(
      method, "http://\(listener.address)\(path)", headers: headers.map { ($0.name, $0.value) },
      body: body.isEmpty && method != "POST" ? nil : body)
    return Reply(status: exchange.status, headers: exchange.headers, body: exchange.body)
  }

  func end() async {
    await everyone.stop()
    await admin.stop()
    await adminByToken.stop()
  }
}
