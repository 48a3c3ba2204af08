import HTTPListener
import Synchronization
import TestSupport

extension FuzzTarget {
  /// Octets on a connection to a real listener. Each request that gets to the handler stands in them as it was
  /// understood, each is answered once, and the connection comes to an end.
  static let head = FuzzTarget("head", lengthMaximum: 2_048) { octets in
    let harness = try HeadHarness.shared.get()
    // A last request ends most of what would have to wait for a deadline: an unfinished head becomes a malformed one.
    let octets = octets + Array("\r\n\r\nGET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
    let seen = try harness.send(octets)
    for request in seen.requests {
      let line = Array("\(request.method) \(request.target) HTTP/1.".utf8)
      try require(octets.firstRange(of: line) != nil, "a request was understood that nobody sent")
    }
    // What is answered beyond that are refusals, of which one ends the connection.
    let refusals = seen.answers.count - seen.requests.count
    try require((0...1).contains(refusals), "\(seen.requests.count) requests, \(seen.answers.count) answers")
  }
}

/// A listener that lives as long as the process, on a socket of its own.
private final class HeadHarness: Sendable {
  static let shared = Result { try HeadHarness() }

  private let listener: HTTPListener
  private let path: String
  private let sink: Sink

  private init() throws {
    path = ScratchFile.path("socket")
    let requests = Sink()
    sink = requests
    // The library waits for the rest of a content that can never come: the deadline ends it.
    var limits = HTTPLimits()
    (limits.headSeconds, limits.bodySeconds) = (1, 1)
    listener = try HTTPListener(
      address: .unix(path: path), limits: limits,
      refusal: { HTTPResponse(status: $0.status, headers: [], body: Array($0.detail.utf8)) },
      handler: { request in
        requests.add(request)
        return HTTPResponse(status: 200, headers: [], body: [])
      })
  }

  private final class Sink: Sendable {
    private let requests = Mutex<[HTTPRequest]>([])
    func add(_ request: HTTPRequest) { requests.withLock { $0.append(request) } }
    func take() -> [HTTPRequest] {
      requests.withLock { requests in
        defer { requests = [] }
        return requests
      }
    }
  }

  func send(_ octets: [UInt8]) throws -> (requests: [HTTPRequest], answers: [RawHTTPAnswer]) {
    _ = sink.take()
    let connection = try RawHTTPConnection(unixPath: path)
    connection.send(octets)
    connection.finishSending()
    let answers = try connection.answersToEnd()
    return (sink.take(), answers.filter { $0.status >= 200 })
  }
}
