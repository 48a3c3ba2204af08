import CryptoPrimitives
import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Synchronization
import TestSupport
import WakeServer
import WebPushCrypto

/// A service as far as a companion sees it, which answers what the test tells it to.
final class FakeService: Sendable {
  struct State {
    var label = "home"
    var kinds = ["problem", "backup"]
    var version = "00000001"
    var vapidPublicKey = "key-1"
    var alerts: [JSONValue] = []
    var pageLength = 200
    var gap: JSONValue = .null
    /// The status of every answer to a device token; nil for what the route says.
    var status: Int?
    /// The last endpoint and keys.
    var endpoint: String?
    var keys: JSONValue = .null
    var changes: [JSONValue] = []
    /// Answers to requests for the stream, one after the other; the last one stays.
    var streams: [RawAnswer] = []
  }

  private final class Shared: Sendable {
    let state: Mutex<State>
    init() { state = Mutex(State()) }
  }

  static let device = "device-1"
  static let token = "wkd_device"
  let stack: String
  let server: RawServer
  private let shared = Shared()

  init(stack: String = "stack-of-the-tests") throws {
    self.stack = stack
    server = try RawServer { [shared, stack] request in
      shared.state.withLock { Self.answer(request, stack, &$0) }
    }
  }

  func change(_ body: (inout State) -> Void) { shared.state.withLock { body(&$0) } }
  var state: State { shared.state.withLock { $0 } }

  var baseURL: String { "http://127.0.0.1:\(server.port)" }

  func link(key: String = "key-1") -> PairingLink {
    PairingLink(
      baseURL: baseURL, stack: stack, vapidPublicKey: key, fingerprint: nil, code: "wkp_code", expires: 1)
  }

  /// An alert of the record.
  static func alert(_ number: Int, kind: String = "problem") -> JSONValue {
    [
      "id": .string("epoch-\(number)"), "at": "2026-01-02T03:04:05.678Z", "kind": .string(kind),
      "event": "disk.bad",
    ]
  }

  /// Requests for the path below the stack's, in their order.
  func requests(_ method: String, _ path: String) -> [RawRequest] {
    server.requests.filter {
      $0.method == method && $0.target.prefix { $0 != "?" } == "/v1/stacks/\(stack)\(path)"
    }
  }

  /// The body of a wake to the subscription that was registered last.
  func wakeBody(stack: String? = nil, version: String? = nil, receipt: String = "receipt-1") throws -> [UInt8]
  {
    let state = state
    let text = JSONValue.object([
      "v": 1, "s": .string(stack ?? self.stack), "mv": .string(version ?? state.version),
      "w": .string(receipt), "later": [1],
    ])
    return try sealed(text.serialized())
  }

  /// A message with this plaintext for the subscription that was registered last.
  func sealed(_ plaintext: [UInt8]) throws -> [UInt8] {
    try WebPushMessage.encrypt(plaintext, for: keys(state), bodyLength: 256)
  }

  private func keys(_ state: State) throws -> UserAgentKeys {
    try UserAgentKeys(
      p256dh: state.keys["p256dh"]?.string ?? "", auth: state.keys["auth"]?.string ?? "")
  }

  /// Sends a message to the endpoint that was registered last, as a push server would.
  func push(_ body: [UInt8]) async throws -> Int {
    try await HTTPClient().send("POST", state.endpoint ?? "", body: body).status
  }

  private static func answer(_ request: RawRequest, _ stack: String, _ state: inout State) -> RawAnswer {
    let path = request.target.split(separator: "?", omittingEmptySubsequences: false)
    let root = "/v1/stacks/\(stack)"
    let body = try? StrictJSON.parse(request.body)
    func json(_ value: JSONValue, _ status: Int = 200) -> RawAnswer {
      .status(status, headers: [("Content-Type", "application/json")], body: value.text)
    }
    let about: [(String, JSONValue)] = [
      ("stack", .string(stack)), ("label", .string(state.label)),
      ("kinds", .array(state.kinds.map { .string($0) })), ("catalogueVersion", .string(state.version)),
    ]
    if request.header("Authorization") == "Bearer \(token)", let status = state.status {
      return json(["code": "gone"], status)
    }
    switch (request.method, String(path[0])) {
    case ("POST", root + "/devices"):
      state.endpoint = body?["endpoint"]?.string
      state.keys = body?["keys"] ?? .null
      state.changes.append(body ?? .null)
      return json(
        [
          "device": .string(device), "token": .string(token), "cursor": "epoch-0", "state": "unconfirmed",
        ], 201)
    case ("PATCH", root + "/devices/\(device)"):
      state.endpoint = body?["endpoint"]?.string ?? state.endpoint
      state.keys = body?["keys"] ?? state.keys
      state.changes.append(body ?? .null)
      return json(["device": .string(device), "state": "unconfirmed"])
    case ("GET", root):
      return json(
        .object(
          JSONObject(uniqueMembers: about + [("vapidPublicKey", .string(state.vapidPublicKey))])))
    case ("GET", root + "/alerts"):
      let after = path.count > 1 ? path[1].split(separator: "=").last.map(String.init) : nil
      let place = state.alerts.firstIndex { $0["id"]?.string == after }.map { $0 + 1 } ?? 0
      let rest = state.alerts[place...]
      let page = Array(rest.prefix(state.pageLength))
      defer { state.gap = .null }
      return json(
        .object(
          JSONObject(
            uniqueMembers: about + [
              ("alerts", .array(page)), ("gap", state.gap),
              ("next", rest.count > page.count ? page.last?["id"] ?? .null : .null),
            ])))
    case ("GET", root + "/events"):
      guard !state.streams.isEmpty else { return .status(404) }
      return state.streams.count > 1 ? state.streams.removeFirst() : state.streams[0]
    case ("POST", root + "/devices/\(device)/receipts"): return .status(204)
    default: return .status(404)
    }
  }
}

extension RawAnswer {
  /// An event stream that begins with `text` and goes on as the feed does.
  static func events(_ text: String = "", _ feed: RawFeed) -> RawAnswer {
    RawAnswer(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + text, then: .feed(feed))
  }
}
