/// A small HTTP client for our own service: the admin socket, the companion and tests.
///
/// http and https only; no proxy, no `.netrc`, no cookies, no redirects. It follows no rule about
/// addresses: what a stranger named goes through `PushDelivery` instead. Connections are kept by the
/// value and closed with its last copy.
package struct HTTPClient: Sendable {
  /// 4 MiB: the largest page of our own service, 200 alerts of 16 KiB, and their frames.
  package static let bodyLengthMaximum = 4 * 1_048_576
  /// Endless answers at the same time, in the whole process: as many stacks as one companion may follow, and the
  /// topics of their push servers.
  package static let streamsMaximum = 256
  /// Requests at the same time, in the whole process; others wait.
  static let threadsMaximum = 16
  /// Threads for all clients of the process. They stay for its life.
  private static let threads = WorkerThreads(name: "http-client", threads: threadsMaximum)

  private let handles: HTTPClientHandles

  /// A client that speaks over `unixSocket` where one is named (the URL's host is then only the Host field),
  /// and that trusts `caFile` (PEM) beside the system's authorities. `timeoutMilliseconds` bounds a whole request.
  ///
  /// Where there is a `pinnedCertificate`, SHA-256 over its DER form, that certificate alone is taken, whatever its
  /// name, dates and issuer are, and http is refused; a request is not sent before the certificate was seen.
  package init(
    unixSocket: String? = nil, caFile: String? = nil, pinnedCertificate: [UInt8]? = nil,
    timeoutMilliseconds: Int = 10_000
  ) {
    handles = HTTPClientHandles(
      settings: HTTPClientSettings(
        unixSocket: unixSocket, caFile: caFile, pin: pinnedCertificate.map(PinnedCertificate.init),
        timeoutMilliseconds: timeoutMilliseconds))
  }

  /// Sends one request and returns the whole answer, whatever its status.
  ///
  /// The caller is suspended; the work runs on a thread of the client's own. `url` is `http://` or
  /// `https://`, printable ASCII, and its path goes out as it stands. A body is sent with its length.
  /// Names and values of `headers` are refused where they would break the line.
  package func send(
    _ method: String, _ url: String, headers: [(String, String)] = [], body: [UInt8]? = nil
  ) async throws(HTTPClientError) -> HTTPExchange {
    let request = try HTTPClientRequest(method: method, url: url, headers: headers, body: body)
    let result: Result<HTTPExchange, HTTPClientError> = await withCheckedContinuation { continuation in
      Self.threads.run { [handles] in continuation.resume(returning: handles.perform(request)) }
    }
    return try result.get()
  }

  /// Sends one request and returns its answer's head as soon as that is there; the body is read from the stream, piece
  /// by piece, for as long as it lasts.
  ///
  /// The transfer has a thread of its own, at most `streamsMaximum` in the whole process, and a connection of its own.
  /// What waits for its reader is bounded, and beyond that the server is not read from. The client's time limit bounds
  /// connecting; `idleSeconds` without an octet end the transfer with `timedOut`.
  package func stream(
    _ method: String, _ url: String, headers: [(String, String)] = [], idleSeconds: Int
  ) async throws(HTTPClientError) -> StreamedExchange {
    let request = try HTTPClientRequest(method: method, url: url, headers: headers, body: nil)
    let transfer = StreamTransfer(request, settings: handles.settings, idle: .seconds(idleSeconds))
    return try await StreamedExchange(running: transfer)
  }
}
