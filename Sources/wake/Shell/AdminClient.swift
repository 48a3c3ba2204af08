import HTTPClient
import KindCatalogue
import StrictJSON
import WakeServer

/// Talks to the running server through the socket in its state folder.
struct AdminClient: Sendable {
  private let http: HTTPClient
  private let patient: HTTPClient
  private let socket: String

  /// How long an answer may take that waits for nobody but the disk.
  static let answerMilliseconds = 10_000
  /// How long that of a test wake may take: it waits for a push server, and for one wake before it, 10 s at most each.
  static let wakeMilliseconds = 25_000

  init(_ configuration: Configuration) {
    socket = configuration.stateFolder.adminSocketPath
    http = HTTPClient(unixSocket: socket, timeoutMilliseconds: Self.answerMilliseconds)
    patient = HTTPClient(unixSocket: socket, timeoutMilliseconds: Self.wakeMilliseconds)
  }

  /// Who is at the other end.
  enum Presence { case answers, silent, absent }

  /// Whether a server answers at all, within ``answerMilliseconds``.
  func presence() async -> Presence {
    do throws(HTTPClientError) {
      _ = try await http.send("GET", "http://localhost/healthz")
      return .answers
    } catch {
      return error == .timedOut ? .silent : .absent
    }
  }

  /// Reads.
  func get(_ path: String) async throws(CommandError) -> JSONObject { try await ask(http, "GET", path, nil) }

  /// Asks for something to be done.
  func post(_ path: String, body: JSONValue) async throws(CommandError) -> JSONObject {
    try await ask(http, "POST", path, body)
  }

  /// Asks for a wake, and waits for its push server.
  func wake(_ path: String) async throws(CommandError) -> JSONObject {
    try await ask(patient, "POST", path, .object([:]))
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
    let code = answer?["code"]?.word
    let sentences = [answer?["title"]?.word, answer?["detail"]?.word, nextStep(after: code)]
    return .failed(
      "\(code ?? "\(status)"): \(sentences.compactMap { $0 }.joined(separator: ". ").replacing("..", with: "."))"
    )
  }

  /// What to type where the server's sentence is for programs.
  private static func nextStep(after code: String?) -> String? {
    switch code.flatMap(ProblemCode.init(rawValue:)) {
    case .notFound, .gone: "`wake device list` shows the devices, `wake stack list` the stacks"
    case .kindUnknown, .kindMissing:
      "The kinds are \(Kind.allCases.map(\.name).joined(separator: ", ")); `wake kinds` says what each is for"
    default: nil
    }
  }

  /// - Throws: `unreachable` where no server answers, `failed` with the server's own sentence otherwise.
  private func ask(
    _ http: HTTPClient, _ method: String, _ path: String, _ body: JSONValue?
  ) async throws(CommandError) -> JSONObject {
    let exchange: HTTPExchange
    do throws(HTTPClientError) {
      exchange = try await http.send(
        method, "http://localhost\(path)",
        headers: body == nil ? [] : [("Content-Type", MediaType.json)], body: body?.serialized())
    } catch {
      if let closed = ClosedPlace(onTheWayTo: socket) { throw CommandError(closed) }
      throw .unreachable(
        error == .timedOut
          ? "a process listens at \(socket), and does not answer: look at the end of the server's log, then start it "
            + "anew (systemctl restart wake)"
          : "no server answers at \(socket); start it with `wake serve`")
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
