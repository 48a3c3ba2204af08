import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite("The HTTP client of our own service")
struct HTTPClientTests {
  @Test("a request goes out with its headers and body and the answer comes back whole")
  func exchange() async throws {
    let server = try RawServer { _ in
      .status(201, headers: [("Location", " /x "), ("X-Twice", "a"), ("x-twice", "b")], body: "done")
    }
    defer { server.stop() }
    let exchange = try await HTTPClient().send(
      "POST", "http://127.0.0.1:\(server.port)/a/../b?c=%2f", headers: [("X-Empty", ""), ("X-Full", "v")],
      body: Array("hello".utf8))
    #expect(exchange.status == 201)
    #expect(exchange.header("LOCATION") == "/x")
    #expect(exchange.headers.filter { $0.name.lowercased() == "x-twice" }.map(\.value) == ["a", "b"])
    #expect(exchange.body == Array("done".utf8))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/a/../b?c=%2f")
    #expect(request.header("x-empty") == "")
    #expect(request.header("x-full") == "v")
    #expect(request.header("content-length") == "5")
    #expect(request.header("expect") == nil)
    #expect(request.header("content-type") == nil)
    #expect(request.body == Array("hello".utf8))
  }

  @Test(
    "each method goes out as it is named",
    arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
  func methods(method: String) async throws {
    let server = try RawServer { request in
      request.method == "HEAD"
        ? RawAnswer("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n") : .status(200, body: "ok")
    }
    defer { server.stop() }
    let exchange = try await HTTPClient().send(method, "http://127.0.0.1:\(server.port)/")
    #expect(exchange.status == 200)
    #expect(server.requests.map(\.method) == [method])
    let length = server.requests.first?.header("content-length")
    #expect(length == (["POST", "PUT", "PATCH"].contains(method) ? "0" : nil))
  }

  @Test("a body may go with any method", arguments: ["DELETE", "GET", "PATCH"])
  func bodies(method: String) async throws {
    let server = try RawServer { _ in .status(204) }
    defer { server.stop() }
    let type = ("Content-Type", "application/merge-patch+json")
    _ = try await HTTPClient().send(
      method, "http://127.0.0.1:\(server.port)/", headers: [type], body: Array("{}".utf8))
    #expect(server.requests.map(\.method) == [method])
    #expect(server.requests.first?.header("content-type") == type.1)
    #expect(server.requests.first?.body == Array("{}".utf8))
  }

  @Test("a Unix socket carries the request")
  func unixSocket() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("s").path
    let server = try RawServer(unixSocket: path) { _ in .status(200, body: "here") }
    defer { server.stop() }
    let exchange = try await HTTPClient(unixSocket: path).send("GET", "http://admin/v1")
    #expect(exchange.body == Array("here".utf8))
    #expect(server.requests.first?.header("host") == "admin")
  }

  @Test("a socket that nobody holds is unreachable")
  func absentSocket() async {
    let client = HTTPClient(unixSocket: "/nonexistent/socket")
    await #expect {
      try await client.send("GET", "http://admin/")
    } throws: {
      if case .unreachable? = $0 as? HTTPClientError { true } else { false }
    }
  }

  @Test(
    "what would break the line, or is not http, is never sent",
    arguments: [
      ("GET", "http://127.0.0.1/", "X", "a\r\nY: b"), ("GET", "http://127.0.0.1/", "X\r\n", "a"),
      ("GET", "http://127.0.0.1/", "X", "a\0b"), ("GET", "http://127.0.0.1/", "", "a"),
      ("GET", "http://127.0.0.1/", "X Y", "a"), ("G T", "http://127.0.0.1/", "X", "a"),
      ("GET", "http://127.0.0.1/\r\nX: y", "X", "a"), ("GET", "http://127.0.0.1/ x", "X", "a"),
      ("GET", "", "X", "a"), ("GET", "file:///etc/passwd", "X", "a"),
      ("GET", "gopher://127.0.0.1/", "X", "a"),
    ])
  func refusedRequests(method: String, url: String, name: String, value: String) async {
    await #expect {
      try await HTTPClient().send(method, url, headers: [(name, value)])
    } throws: {
      if case .failed? = $0 as? HTTPClientError { true } else { false }
    }
  }

  @Test("a redirect is an answer like any other")
  func redirect() async throws {
    let server = try RawServer { _ in .status(302, headers: [("Location", "/elsewhere")]) }
    defer { server.stop() }
    let exchange = try await HTTPClient().send("GET", "http://127.0.0.1:\(server.port)/")
    #expect(exchange.status == 302)
    #expect(server.requests.count == 1)
  }

  @Test("fields of an interim answer are not the answer's")
  func interim() async throws {
    let server = try RawServer { _ in
      RawAnswer("HTTP/1.1 103 Early\r\nX: early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    let exchange = try await HTTPClient().send("GET", "http://127.0.0.1:\(server.port)/")
    #expect(exchange.status == 200)
    #expect(exchange.header("X") == nil)
  }

  @Test("an answer beyond the bound is refused, and one of that size is not", arguments: [0, 1])
  func bound(extra: Int) async throws {
    let length = HTTPClient.bodyLengthMaximum + extra
    let server = try RawServer { _ in .status(200, body: String(repeating: "x", count: length)) }
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)/"
    if extra == 0 {
      #expect(try await HTTPClient().send("GET", url).body.count == length)
    } else {
      await #expect(throws: HTTPClientError.tooLarge) { try await HTTPClient().send("GET", url) }
    }
  }

  @Test("an endless head is too large as well")
  func endlessHead() async throws {
    let server = try RawServer { _ in
      RawAnswer("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Y: z\r\n", count: 20_000), then: .silence)
    }
    defer { server.stop() }
    await #expect(throws: HTTPClientError.tooLarge) {
      try await HTTPClient().send("GET", "http://127.0.0.1:\(server.port)/")
    }
  }

  @Test("a server that stays silent runs into the timeout")
  func silence() async throws {
    let server = try RawServer { _ in .silence }
    defer { server.stop() }
    await #expect(throws: HTTPClientError.timedOut) {
      try await HTTPClient(timeoutMilliseconds: 100).send("GET", "http://127.0.0.1:\(server.port)/")
    }
  }

  @Test("requests in a row share a connection, and requests at once all come through")
  func connections() async throws {
    let server = try RawServer { _ in .status(200) }
    defer { server.stop() }
    let client = HTTPClient()
    let url = "http://127.0.0.1:\(server.port)/"
    for _ in 0..<10 { _ = try await client.send("GET", url) }
    #expect(server.accepted == 1)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { try await client.send("GET", url).status } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(server.requests.count == 210)
    #expect(server.openMaximum <= 16)
  }
}
