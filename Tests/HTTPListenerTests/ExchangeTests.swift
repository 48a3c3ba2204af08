import HTTPListener
import TestSupport
import Testing

@Suite("A request and its answer")
struct ExchangeTests {
  @Test("the handler gets method, target, fields in order and content as they were sent")
  func requestIsHandedOver() async throws {
    let harness = try ListenerHarness()
    let answer = try await harness.connected { connection in
      try connection.exchange(
        "POST", "/a%2Fb?x=1&y=%20", headers: [("X-One", "1"), ("x-two", " spaced \t"), ("X-One", "again")],
        body: Array("hello".utf8))
    }
    #expect(answer?.status == 200)
    #expect(answer?.text == "/a%2Fb?x=1&y=%20")
    let request = try #require(harness.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/a%2Fb?x=1&y=%20")
    #expect(request.path == "/a%2Fb")
    #expect(request.query == "x=1&y=%20")
    #expect(request.headers.map(\.name) == ["Host", "X-One", "x-two", "X-One", "Content-Length"])
    #expect(request.headers.map(\.value) == ["localhost", "1", "spaced", "again", "5"])
    #expect(request.header("X-TWO") == "spaced")
    #expect(request.body == Array("hello".utf8))
    #expect(request.peer == "127.0.0.1")
    await harness.listener.stop()
  }
}
