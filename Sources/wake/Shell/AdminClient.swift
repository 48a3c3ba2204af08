import HTTPClient
import StrictJSON
import WakeServer

/// Talks to the running server through the socket in its state folder.
struct AdminClient: Sendable {
  private let http: HTTPClient
  private let socket: String

  /// How long an answer may take: a test wake waits for a push server, and for one wake before it, 10 s at most each.
  static let timeoutMilliseconds = 25_000

  init(_ configuration: Configuration) {
    socket = configuration.stateFolder.adminSocketPath
    http = HTTPClient(unixSocket: socket, timeoutMilliseconds: Self.timeoutMilliseconds)
  }

  /// Reads.
  func get(_ path: String) async throws(CommandError) -> JSONObject { try await ask("GET", path, nil) }

  /// Asks for something to be done.
  func post(_ path: String, body: JSONValue = .object([:])) async throws(CommandError) -> JSONObject {
    try await ask("POST", path, body)
  }

  /// Asks for something to be done, and for what happens meanwhile as an event stream; nil where no server answers.
  func events(_ path: String) async throws(CommandError) -> StreamedExchange? {
    let stream: StreamedExchange
    do throws(HTTPClientError) {
      stream = try await http.stream(
        "POST", "http://localhost\(path)", headers: [("Accept", "text/event-stream")],
        idleSeconds: Self.silenceSeconds)
    } catch {
      return nil
    }
    guard stream.status != 200 else { return stream }
    var body: [UInt8] = []
    while let piece = (try? await stream.next()) ?? nil, body.count < Limits.bodyOctets { body += piece }
    throw Self.refusal(try? StrictJSON.parse(body), status: stream.status)
  }

  /// The server says something every ten seconds.
  private static let silenceSeconds = 30

  private static func refusal(_ answer: JSONValue?, status: Int) -> CommandError {
    let sentence = [answer?["title"]?.word, answer?["detail"]?.word].compactMap { $0 }.joined(separator: ". ")
    return .failed("\(answer?["code"]?.word ?? "\(status)"): \(sentence)")
  }

  /// - Throws: `unreachable` where no server answers, `failed` with the server's own sentence otherwise.
  private func ask(_ method: String, _ path: String, _ body: JSONValue?) async throws(CommandError)
    -> JSONObject
  {
    let exchange: HTTPExchange
    do {
      exchange = try await http.send(
        method, "http://localhost\(path)",
        headers: body == nil ? [] : [("Content-Type", MediaType.json)], body: body?.serialized())
    } catch {
      throw .unreachable("no server answers at \(socket); start it with `wake serve`")
    }
    guard case .object(let answer)? = try? StrictJSON.parse(exchange.body, limits: Presentation.answerLimits)
    else {
      throw .failed("the server answered \(exchange.status) with something that is no JSON")
    }
    guard (200..<300).contains(exchange.status) else {
      throw Self.refusal(.object(answer), status: exchange.status)
    }
    return answer
  }
}
