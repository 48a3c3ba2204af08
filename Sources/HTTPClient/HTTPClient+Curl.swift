internal import CCurl

extension CurlEasy {
  /// Runs `request` and maps its end to an answer or an error.
  func exchange(
    _ request: HTTPClientRequest, settings: HTTPClientSettings
  ) -> Result<HTTPExchange, HTTPClientError> {
    let sink = ResponseSink(bodyLengthMaximum: HTTPClient.bodyLengthMaximum)
    do throws(CurlFailure) {
      let lines = try CurlList(request.curlLines)
      reset()
      try prepare(settings)
      try set(CURLOPT_TIMEOUT_MS, max(1, settings.timeoutMilliseconds))
      try prepare(request)
      try unsafe setPointer(CURLOPT_HTTPHEADER, lines.pointer)
      let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(sink).toOpaque())
      try unsafe setSink(CURLOPT_WRITEFUNCTION) { octets, size, count, context in
        unsafe sinkOctets(octets, size * count, context) { unsafe $0.takeBody($1) }
      }
      try unsafe setSink(CURLOPT_HEADERFUNCTION) { octets, size, count, context in
        unsafe sinkOctets(octets, size * count, context) { unsafe $0.takeHeaderLine($1) }
      }
      try unsafe setPointer(CURLOPT_WRITEDATA, context)
      try unsafe setPointer(CURLOPT_HEADERDATA, context)
      // The list and the sink are read until perform returns, and no longer: reset() forgets both.
      defer {
        reset()
        withExtendedLifetime(sink) {}
      }
      try perform()
      return .success(HTTPExchange(status: status, headers: sink.headers, body: sink.body))
    } catch {
      return .failure(sink.overflowed ? .tooLarge : HTTPClientError(error))
    }
  }

  func prepare(_ settings: HTTPClientSettings) throws(CurlFailure) {
    try set(CURLOPT_NOSIGNAL, 1)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    // "" switches off what http_proxy and its kin say.
    try set(CURLOPT_PROXY, "")
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_PATH_AS_IS, 1)
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let unixSocket = settings.unixSocket { try set(CURLOPT_UNIX_SOCKET_PATH, unixSocket) }
    // The system's authorities stay trusted through the hashed folder, libcurl's default CURLOPT_CAPATH.
    if let caFile = settings.caFile { try set(CURLOPT_CAINFO, caFile) }
    if let pin = settings.pin { try prepare(pin) }
  }

  func prepare(_ request: HTTPClientRequest) throws(CurlFailure) {
    try set(CURLOPT_URL, request.url)
    switch (request.method, request.body) {
    case ("GET", nil): try set(CURLOPT_HTTPGET, 1)
    case ("HEAD", nil): try set(CURLOPT_NOBODY, 1)
    case ("POST", let body), ("PUT", let body), ("PATCH", let body):
      // These announce a length even where there is no body (RFC 9110 §8.6).
      try setBody(body ?? [])
      try set(CURLOPT_CUSTOMREQUEST, request.method)
    case (_, let body?):
      try setBody(body)
      try set(CURLOPT_CUSTOMREQUEST, request.method)
    case (_, nil): try set(CURLOPT_CUSTOMREQUEST, request.method)
    }
  }
}

extension HTTPClientRequest {
  /// The caller's fields, and those that libcurl would add by itself removed.
  var curlLines: [String] {
    headerLines + ["Expect:"] + (hasContentType ? [] : ["Content-Type:"])
  }
}

extension HTTPClientError {
  init(_ failure: CurlFailure) {
    switch failure.kind {
    case .nameNotResolved, .cannotConnect, .certificate, .handshake:
      self = .unreachable(failure.explanation)
    case .timedOut: self = .timedOut
    default: self = .failed(failure.description)
    }
  }
}

/// Hands octets of a callback to the sink that `context` points to; what libcurl is told was taken.
private func sinkOctets(
  _ octets: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ take: (ResponseSink, UnsafeRawBufferPointer) -> Bool
) -> Int {
  guard let context = unsafe context else { return 0 }
  let sink = unsafe Unmanaged<ResponseSink>.fromOpaque(context).takeUnretainedValue()
  let taken = unsafe take(sink, UnsafeRawBufferPointer(start: octets, count: count))
  // Fewer than were offered ends the transfer with CURLE_WRITE_ERROR.
  return taken ? count : (count == 0 ? 1 : 0)
}
