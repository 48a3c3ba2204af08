import HTTPListener
import TestSupport
import Testing

/// Octets that two readers could cut into different messages, and what became of them.
struct AmbiguousRequest: Sendable, CustomTestStringConvertible {
  let name: String
  let octets: [UInt8]
  let outcome: String
  let targets: [String]
  var testDescription: String { name }

  init(_ name: String, _ raw: String, _ outcome: String, targets: [String] = []) {
    self.name = name
    octets = raw.unicodeScalars.map { UInt8($0.value) }
    self.outcome = outcome
    self.targets = targets
  }

  private static let second = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let post = "POST /a HTTP/1.1\r\nHost: a\r\n"
  private static let chunked = "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  /// What the library forgives and hides, seen from the places of the parts alone.
  static let hidden: [AmbiguousRequest] = [
    .init(
      "a folded line that the library glues to the name", "\(post)Content: 36\r\n -Length\r\n\r\n\(second)",
      "400"),
    .init(
      "a folded line that hides a transfer coding",
      "\(post)Transfer-Encoding: chunked\r\n x\r\n\r\n\(second)", "400"),
    .init("a folded line of nothing but a tab", "\(post)X: a\r\n\t\r\n\r\n", "400"),
    .init("two folded lines", "\(post)X: a\r\n b\r\n c\r\n\r\n", "400"),
    .init(
      "NUL at the start of a line, which the library takes for the end of the head",
      "\(post)\0X: a\r\n\r\n\(second)", "400"),
    .init("NUL as a line of its own", "\(post)\0\r\n\(second)", "400"),
    .init("NUL in a name", "\(post)X\0: a\r\n\r\n", "400"),
    .init("NUL before a value", "\(post)X: \0a\r\n\r\n", "400"),
    .init("NUL after a length", "\(post)Content-Length: 3\09\r\n\r\nabc", "400"),
    .init("NUL in the method", "GE\0T /a HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("NUL in the target", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("NUL in the query", "GET /a?b\0c HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("a bare line feed after the request line", "GET /a HTTP/1.1\nHost: a\r\n\r\n", "400"),
    .init("a bare line feed after a field", "GET /a HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", "400"),
    .init("a bare line feed as the empty line", "GET /a HTTP/1.1\r\nHost: a\r\n\n", "400"),
    .init("an empty field name, which the library leaves out", "\(post): a\r\n\r\n", "400"),
    .init("two spaces before the target", "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
  ]

  /// What shows in the parts.
  static let visible: [AmbiguousRequest] = [
    .init("white space before the first field", "GET /a HTTP/1.1\r\n Host: a\r\n\r\n", "400"),
    .init("a tab before the colon", "\(post)Content-Length\t: 36\r\n\r\n\(second)", "400"),
    .init("a bare carriage return before the line end", "\(post)X: a\r\r\n\r\n", "400"),
    .init("a carriage return in the target", "GET /a\rb HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("a tab in the target", "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("a target beyond ASCII", "GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("a fragment", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("the asterisk form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("the authority form", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("a method that is no token", "G@T /a HTTP/1.1\r\nHost: a\r\n\r\n", "400"),
    .init("HTTP/1.2", "GET /a HTTP/1.2\r\nHost: a\r\n\r\n", "505"),
    .init(
      "chunked with a space after it",
      "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n", "501"),
    .init(
      "a coding beside a length in HTTP/1.0",
      "POST /a HTTP/1.0\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400"),
    .init(
      "a refused request and one behind it", "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n\(second)", "400"),
  ]

  /// What the library answers itself; it never asks us.
  static let answeredByLibrary: [AmbiguousRequest] = [
    .init("a field without a colon", "\(post)X\r\n\r\n", "400"),
    .init("a length with a space after it", "\(post)Content-Length: 3 \r\n\r\nabc", "400"),
    .init("no Host", "GET /a HTTP/1.1\r\n\r\n", "400"),
    .init("HTTP/2.0", "GET /a HTTP/2.0\r\nHost: a\r\n\r\n", "505"),
    .init("HTTP/0.9 with a version", "GET /a HTTP/0.9\r\nHost: a\r\n\r\n", "505"),
    .init("two spaces after the target", "GET /a  HTTP/1.1\r\nHost: a\r\n\r\n", "close"),
    .init("a space after the version", "GET /a HTTP/1.1 \r\nHost: a\r\n\r\n", "400"),
    .init("NUL in the version", "GET /a HTTP/1.\01\r\nHost: a\r\n\r\n", "400"),
  ]

  /// Chunks may be read leniently, but nothing behind them is read at all.
  static let chunks: [AmbiguousRequest] = [
    .init(
      "a whole chunked request and one behind it", "\(chunked)3\r\nabc\r\n0\r\n\r\n\(second)", "200",
      targets: ["/a"]),
    .init("bare line feeds between chunks", "\(chunked)3\nabc\n0\n\n\(second)", "200", targets: ["/a"]),
    .init(
      "a bare line feed in an extension", "\(chunked)2;\nxx\r\n0\r\n\r\n\(second)", "200", targets: ["/a"]),
    .init("NUL as a trailer", "\(chunked)0\r\n\0\r\n\(second)", "200", targets: ["/a"]),
    .init(
      "a trailer that names a length", "\(chunked)0\r\nContent-Length: 36\r\n\r\n\(second)", "200",
      targets: ["/a"]),
    .init("a trailer without a colon", "\(chunked)0\r\nX\r\n\r\n\(second)", "400"),
    .init("a chunk size with a space after it", "\(chunked)3 \r\nabc\r\n0\r\n\r\n", "400"),
  ]

  /// What a strict server would not take, and this one does, because nothing of it can be seen: a line that begins with
  /// NUL counts as an empty one before the request line. What follows it is a whole request with one reading.
  static let tolerated: [AmbiguousRequest] = [
    .init(
      "a line that begins with NUL before the request line", "\0X: y\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n",
      "200", targets: ["/a"])
  ]

  /// What a strict server takes too.
  static let harmless: [AmbiguousRequest] = [
    .init(
      "empty lines before the request line", "\r\n\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n", "200",
      targets: ["/a"]),
    .init("no white space after the colon", "GET /a HTTP/1.1\r\nHost:a\r\n\r\n", "200", targets: ["/a"]),
    .init("white space around a value", "GET /a HTTP/1.1\r\nHost: \t a \t \r\n\r\n", "200", targets: ["/a"]),
    .init("an empty value", "GET /a HTTP/1.1\r\nHost: a\r\nX:\r\nY: \r\n\r\n", "200", targets: ["/a"]),
    .init("a value beyond ASCII", "GET /a HTTP/1.1\r\nHost: a\r\nX: \u{e4}\r\n\r\n", "200", targets: ["/a"]),
    .init(
      "a coding in capitals", "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n",
      "200", targets: ["/a"]),
    .init("no fields in HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", "200", targets: ["/a"]),
    .init(
      "a query with everything", "GET /a?b=c&d&=&&%00%0d%0a+e?f HTTP/1.1\r\nHost: a\r\n\r\n", "200",
      targets: ["/a?b=c&d&=&&%00%0d%0a+e?f"]),
    .init("an empty query", "GET /a? HTTP/1.1\r\nHost: a\r\n\r\n", "200", targets: ["/a?"]),
    .init(
      "cookies", "GET /a HTTP/1.1\r\nHost: a\r\nCookie: a=b; c=\"d\"; e\r\nX: y\r\n\r\n", "200",
      targets: ["/a"]),
    .init("leading zeros of a length", "\(post)Content-Length: 003\r\n\r\nabc", "200", targets: ["/a"]),
    .init(
      "three requests in a row",
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\(post)Content-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: a\r\n\r\n",
      "200 200 200", targets: ["/1", "/a", "/2"]),
  ]
}

@Suite("Requests that two readers could read in two ways")
struct RequestSmugglingTests {
  @Test("what the library hides is refused", arguments: AmbiguousRequest.hidden)
  func hidden(_ request: AmbiguousRequest) async throws { try await check(request) }

  @Test("what shows is refused", arguments: AmbiguousRequest.visible)
  func visible(_ request: AmbiguousRequest) async throws { try await check(request) }

  @Test("what the library refuses itself is refused", arguments: AmbiguousRequest.answeredByLibrary)
  func answeredByLibrary(_ request: AmbiguousRequest) async throws { try await check(request) }

  @Test("nothing behind chunks is read", arguments: AmbiguousRequest.chunks)
  func chunks(_ request: AmbiguousRequest) async throws { try await check(request) }

  @Test("what cannot be seen and does no harm is taken", arguments: AmbiguousRequest.tolerated)
  func tolerated(_ request: AmbiguousRequest) async throws { try await check(request) }

  @Test("what has one reading is taken", arguments: AmbiguousRequest.harmless)
  func harmless(_ request: AmbiguousRequest) async throws { try await check(request) }

  private func check(_ request: AmbiguousRequest) async throws {
    let harness = try ListenerHarness()
    let conversation = try await RawConversation(of: request.octets, with: harness)
    #expect(conversation.outcome == request.outcome)
    #expect(conversation.targets == request.targets)
    await harness.listener.stop()
  }
}
