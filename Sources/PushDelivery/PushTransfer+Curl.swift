internal import CCurl
internal import HTTPClient

/// A place for one transfer at a time: an easy handle that is set up once and used again, so that nothing that
/// stays the same is parsed for each wake. It lives on the sender's thread.
final class PushTransfer {
  /// The attempt that has the place, or nil while it is free.
  private(set) var attempt: PushAttempt?
  fileprivate var response = PushResponse()
  /// An address that libcurl was about to use and must not.
  fileprivate var denial: (address: IPAddress, refusal: AddressRefusal)?
  /// The request may have gone out on a connection that then closed; libcurl wanted to send it again.
  fileprivate var wasStoppedFromRepeating = false
  /// libcurl was about to send on a kept connection that the push server has closed; nothing went out.
  private(set) var metClosedConnection = false
  /// The sockets that were opened for the attempt.
  private var opened: [Int32] = []
  private var isFreshDemanded = false
  /// Counts what comes after the request.
  private var meter: ReceiveMeter?
  private var requestedAt: Int64 = 0

  /// What a push server may send in answer, TLS and all framing included, once it has taken longer than…
  private static let octetsMaximum = UInt64(PushResponse.lengthMaximum) * 9 / 8
  /// …this.
  private static let uncountedMilliseconds: Int64 = 50

  private let policy: AddressPolicy
  private let sockets: ConnectionSockets
  /// Those of the thread; the handle points to them.
  private let authorities: TrustedAuthorities
  private let easy: CurlEasy
  private var headers = CurlList()
  /// What `headers` are of, and which origin the handle's URL is of.
  private var last: (authorization: String, ttlSeconds: Int, topicPlace: Int)?
  private var origin: String?
  private var pins = CurlList()

  /// A free place; `place` is what `CurlMulti.nextDone` gives back, `sockets` those of the multi handle.
  init(
    place: Int, policy: AddressPolicy, configuration: PushSenderConfiguration, sockets: ConnectionSockets,
    authorities: TrustedAuthorities
  ) throws(CurlFailure) {
    self.policy = policy
    self.sockets = sockets
    self.authorities = authorities
    easy = try CurlEasy()
    try unsafe easy.setPointer(CURLOPT_PRIVATE, UnsafeRawPointer(bitPattern: place))
    try setFixedOptions(configuration)
    try setCallbacks()
  }

  /// Takes `attempt` and lets `multi` run it, to one of `addresses`, which were all permitted.
  func start(
    _ attempt: PushAttempt, addresses: [IPAddress], remainingMilliseconds: Int, in multi: borrowing CurlMulti
  ) throws(CurlFailure) {
    let message = attempt.job.message
    let destination = attempt.destination
    try setHeaders(message)
    pins = try CurlList(destination.curlPins(addresses))
    // libcurl loads the list once each time that it is set, and replaces what it knew of the same host and port.
    try unsafe easy.setPointer(CURLOPT_RESOLVE, pins.pointer)
    if origin != destination.origin {
      // The origin alone is libcurl's business; the target goes out as it stands.
      try easy.set(CURLOPT_URL, destination.origin + "/")
      origin = destination.origin
    }
    try easy.set(CURLOPT_REQUEST_TARGET, destination.target)
    try easy.setBody(message.body)
    try demandFresh(false)
    try run(remainingMilliseconds, in: multi)
    self.attempt = attempt
  }

  /// Begins the attempt anew, on a connection of its own: nothing of it has gone out.
  func startAgain(remainingMilliseconds: Int, in multi: borrowing CurlMulti) throws(CurlFailure) {
    multi.remove(easy)
    try demandFresh(true)
    try run(remainingMilliseconds, in: multi)
  }

  /// From one wake to the next the topic alone differs, as long as they go to one push server in the name of one stack.
  private func setHeaders(_ message: WakeMessage) throws(CurlFailure) {
    if let last, last.authorization == message.authorization, last.ttlSeconds == message.ttlSeconds,
      headers.replace(at: last.topicPlace, with: message.topicLine)
    {
      return
    }
    let lines = message.curlLines
    headers = try CurlList(lines)
    try unsafe easy.setPointer(CURLOPT_HTTPHEADER, headers.pointer)
    last = lines.firstIndex(of: message.topicLine).map { (message.authorization, message.ttlSeconds, $0) }
  }

  private func run(_ remainingMilliseconds: Int, in multi: borrowing CurlMulti) throws(CurlFailure) {
    try easy.set(CURLOPT_TIMEOUT_MS, max(1, remainingMilliseconds))
    response = PushResponse()
    denial = nil
    wasStoppedFromRepeating = false
    metClosedConnection = false
    meter = nil
    opened.removeAll(keepingCapacity: true)
    try multi.add(easy)
  }

  private func demandFresh(_ isDemanded: Bool) throws(CurlFailure) {
    guard isFreshDemanded != isDemanded else { return }
    try easy.set(CURLOPT_FRESH_CONNECT, isDemanded ? 1 : 0)
    isFreshDemanded = isDemanded
  }

  /// Leaves `multi` and frees the place.
  func leave(_ multi: borrowing CurlMulti) -> PushAttempt? {
    multi.remove(easy)
    defer { attempt = nil }
    return attempt
  }

  /// What came of the transfer, which ended with `code`. A received status wins: whatever went wrong later, the
  /// push server had decided.
  func answer(to attempt: PushAttempt, code: CURLcode, nowSeconds: Int64) -> PushAnswer {
    if easy.status >= 200 {
      return response.answer(
        status: easy.status, message: attempt.job.message, target: attempt.destination.target,
        nowSeconds: nowSeconds)
    }
    if let denial {
      let reason = denial.refusal.detail(address: denial.address, origin: attempt.destination.origin)
      return PushAnswer(outcome: .blocked, reason: reason)
    }
    if wasStoppedFromRepeating || metClosedConnection {
      return PushAnswer(outcome: .network, reason: NetworkReason.closedWithoutAnswer)
    }
    return PushAnswer(outcome: .network, reason: easy.networkReason(CurlFailure(code)))
  }

  private func setFixedOptions(_ configuration: PushSenderConfiguration) throws(CurlFailure) {
    try easy.set(CURLOPT_NOSIGNAL, 1)
    try easy.set(CURLOPT_PROTOCOLS_STR, "https,http")
    try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try easy.set(CURLOPT_FOLLOWLOCATION, 0)
    // "" switches off what https_proxy and its kin say.
    try easy.set(CURLOPT_PROXY, "")
    try easy.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    try easy.set(CURLOPT_PATH_AS_IS, 1)
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, configuration.connectTimeoutMilliseconds))
    try easy.set(CURLOPT_MAXAGE_CONN, max(1, configuration.idleSeconds))
    // A pin is needed for the length of one transfer; afterwards it may be forgotten.
    try easy.set(CURLOPT_DNS_CACHE_TIMEOUT, configuration.totalTimeoutMilliseconds / 1_000 + 10)

    try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
    try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
    try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    try easy.trust(authorities)
  }

  private func setCallbacks() throws(CurlFailure) {
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    try unsafe easy.setPointer(CURLOPT_WRITEDATA, context)
    try unsafe easy.setPointer(CURLOPT_HEADERDATA, context)
    try unsafe easy.setPointer(CURLOPT_OPENSOCKETDATA, context)
    try unsafe easy.setPointer(CURLOPT_PREREQDATA, context)
    try unsafe easy.setSink(CURLOPT_WRITEFUNCTION) { octets, size, count, context in
      unsafe take(octets, size * count, context) { unsafe $0.takeBody($1) }
    }
    try unsafe easy.setSink(CURLOPT_HEADERFUNCTION) { octets, size, count, context in
      unsafe take(octets, size * count, context) { unsafe $0.takeHeaderLine($1) }
    }
    try unsafe easy.setPointer(CURLOPT_XFERINFODATA, context)
    try unsafe easy.setProgress { context, _, _, _, _ in
      guard let context = unsafe context else { return 1 }
      return unsafe Unmanaged<PushTransfer>.fromOpaque(context).takeUnretainedValue().mayGoOn ? 0 : 1
    }
    try unsafe easy.setOpenSocket { context, _, address in
      guard let context = unsafe context, let address = unsafe address else { return CURL_SOCKET_BAD }
      let transfer = unsafe Unmanaged<PushTransfer>.fromOpaque(context).takeUnretainedValue()
      return unsafe transfer.openSocket(address)
    }
    try unsafe easy.setBeforeRequest { context, remote, local, remotePort, localPort in
      guard let context = unsafe context, let remote = unsafe remote, let local = unsafe local,
        let remote = unsafe IPAddress(parsing: remote), let local = unsafe IPAddress(parsing: local)
      else { return CURL_PREREQFUNC_ABORT }
      let transfer = unsafe Unmanaged<PushTransfer>.fromOpaque(context).takeUnretainedValue()
      let goesOn = transfer.requestMayGo(
        on: ConnectionEnds(
          local: local, localPort: Int(localPort), remote: remote, remotePort: Int(remotePort)))
      return goesOn ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
  }

  /// The last word before a connection is made: libcurl may have found the address otherwise than we did.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    guard permits(unsafe IPAddress(wake_socket_address(address))) else { return CURL_SOCKET_BAD }
    let socket = unsafe openStreamSocket(address)
    opened.append(socket)
    return socket
  }

  /// The last word before a request is sent, which a connection that is used again does not escape either.
  ///
  /// It also keeps the promise of a single attempt: when a kept connection turns out to be closed, libcurl
  /// sends the request again on another one, although the push server may have taken it. So that this is rare, a kept
  /// connection is looked at before: libcurl itself takes the farewell of TLS, which waits to be read there, for life.
  private func requestMayGo(on connection: ConnectionEnds) -> Bool {
    if easy.octetsSent > 0 {
      wasStoppedFromRepeating = true
      return false
    }
    guard permits(connection.remote) else { return false }
    if let socket = opened.first(where: { ConnectionEnds(of: $0) == connection }) {
      sockets.keep(socket, of: connection)
      meter = ReceiveMeter(socket: socket)
    } else if let socket = sockets.quietSocket(of: connection) {
      meter = ReceiveMeter(socket: socket)
    } else {
      metClosedConnection = true
      return false
    }
    requestedAt = SteadyClock.milliseconds
    return true
  }

  /// Whether the answer may go on. libcurl hands on what it understands, and ``PushResponse`` bounds that; what frames it
  /// (chunks with extensions, a line without an end) has no bound but this one.
  private var mayGoOn: Bool {
    // Most answers are over before anybody counts.
    guard let meter, SteadyClock.milliseconds - requestedAt >= Self.uncountedMilliseconds else { return true }
    return meter.octets <= Self.octetsMaximum
  }

  private func permits(_ address: IPAddress?) -> Bool {
    guard let attempt, let address else { return false }
    guard let refusal = policy.refusal(of: address, for: attempt.destination) else { return true }
    denial = (address, refusal)
    return false
  }
}

extension WakeMessage {
  /// The fields of the wake, and those that libcurl would add by itself removed.
  fileprivate var curlLines: [String] {
    headerFields.map { "\($0.name): \($0.value)" } + ["Accept:", "Expect:", "User-Agent:"]
  }

  /// That of the topic.
  fileprivate var topicLine: String { "\(Self.topicField): \(topic.text)" }
}

extension Destination {
  /// Lines of `CURLOPT_RESOLVE(3)`: `+` lets them time out like any other answer. A literal needs none.
  fileprivate func curlPins(_ addresses: [IPAddress]) -> [String] {
    guard case .name(let name) = host else { return [] }
    return ["+\(name):\(port):\(addresses.map(\.urlText).joined(separator: ","))"]
  }
}

/// Hands octets of a callback to the response of the transfer that `context` points to.
private func take(
  _ octets: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ take: (inout PushResponse, UnsafeRawBufferPointer) -> Bool
) -> Int {
  guard let context = unsafe context, count > 0 else { return count }
  let transfer = unsafe Unmanaged<PushTransfer>.fromOpaque(context).takeUnretainedValue()
  // Fewer than were offered ends the transfer with CURLE_WRITE_ERROR.
  return unsafe take(&transfer.response, UnsafeRawBufferPointer(start: octets, count: count)) ? count : 0
}
