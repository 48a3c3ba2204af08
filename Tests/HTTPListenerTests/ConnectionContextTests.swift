import Testing

@testable import HTTPListener

@Suite("What is known about a connection")
struct ConnectionContextTests {
  private let connection = ConnectionContext(peer: nil, isSurplus: false, descriptor: -1)

  private func request() -> RequestContext {
    RequestContext(
      target: "/", targetOctets: 1, connection: ConnectionReference(nil), resumes: ResumeCounter())
  }

  @Test("a request that the library forgot is handed back when the next one begins")
  func forgotten() {
    let (first, second) = (request(), request())
    #expect(connection.begin(first) == nil)
    #expect(connection.request === first)
    #expect(connection.begin(second) === first)
    #expect(connection.request === second)
  }

  @Test("a handler that begins when its request has been abandoned already is told to give up")
  func abandonedFirst() async {
    let request = request()
    request.abandon(HTTPResponse(status: 503))
    let told = await withCheckedContinuation { continuation in
      request.run(HTTPRequest(method: "GET", target: "/")) { _ in
        // Until it is told: that may come a moment later.
        for _ in 0..<1_000_000 where !Task.isCancelled { await Task.yield() }
        continuation.resume(returning: Task.isCancelled)
        return HTTPResponse(status: 200)
      }
    }
    #expect(told)
  }

  @Test("a request ends once, and is let go of")
  func ends() {
    weak var gone: RequestContext?
    do {
      let request = request()
      gone = request
      _ = connection.begin(request)
    }
    #expect(gone != nil)
    #expect(connection.end() === gone)
    #expect(connection.end() == nil)
    #expect(connection.request == nil)
    #expect(gone == nil)
  }
}
