import HTTPListener
import Synchronization
import TestSupport

/// A listener for tests, and what its handler has seen.
final class ListenerHarness: Sendable {
  let listener: HTTPListener
  private let record: Record
  private let isSecure: Bool

  private final class Record: Sendable {
    let requests = Mutex<[HTTPRequest]>([])
    let refusals = Mutex<[GateRefusal]>([])
  }

  /// Listens, on a port of 127.0.0.1 unless told otherwise. The default handler answers 200 with the target.
  init(
    address: ListenAddress = .tcp(host: "127.0.0.1", port: 0), limits: HTTPLimits = HTTPLimits(),
    identities: TLSIdentitySlot? = nil, exempt: Set<String> = [],
    handler: @escaping HTTPHandler = { HTTPResponse(status: 200, body: Array($0.target.utf8)) }
  ) throws {
    let record = Record()
    self.record = record
    isSecure = identities != nil
    listener = try HTTPListener(
      address: address, limits: limits, identities: identities, countedAs: { exempt.contains($0) ? nil : $0 },
      refusal: { refusal in
        record.refusals.withLock { $0.append(refusal) }
        return HTTPResponse(
          status: refusal.status, headers: [("Content-Type", "text/plain")], body: Array(refusal.detail.utf8))
      },
      handler: { request in
        record.requests.withLock { $0.append(request) }
        return await handler(request)
      })
  }

  /// The requests that reached the handler, in order.
  var requests: [HTTPRequest] { record.requests.withLock { $0 } }
  /// The refusals, in order.
  var refusals: [GateRefusal] { record.refusals.withLock { $0 } }

  /// Runs `body` with a new connection, on a thread of its own; by TLS where the listener speaks it, unless `plainly`.
  func connected<Value: Sendable>(
    plainly: Bool = false, _ body: @escaping @Sendable (RawHTTPConnection) throws -> Value
  ) async throws -> Value {
    let address = listener.address
    let isSecure = isSecure && !plainly
    return try await onOwnThread {
      let connection =
        switch address {
        case .tcp(let host, let port): try RawHTTPConnection(host: host, port: port)
        case .unix(let path): try RawHTTPConnection(unixPath: path)
        }
      if isSecure { try connection.secure() }
      return try body(connection)
    }
  }
}
