internal import CCurl
internal import Glibc
internal import HTTPClient

/// One connection of a probe; it lives on the thread that makes it, which waits.
final class ProbeConnection {
  private let refusal: (IPAddress) -> AddressRefusal?
  private var denial: (address: IPAddress, refusal: AddressRefusal)?
  /// When the connection was there and TLS began; libcurl's own times are of the end of both.
  private var securingSince: ContinuousClock.Instant?

  init(refusal: @escaping (IPAddress) -> AddressRefusal?) { self.refusal = refusal }

  /// Connects, shakes hands where the scheme is https, and lets go.
  func run(
    _ destination: Destination, _ addresses: [IPAddress], _ trust: ConnectionProbe.Trust,
    timeoutMilliseconds: Int
  ) -> ConnectionReport {
    var report = ConnectionReport()
    do throws(CurlFailure) {
      let easy = try CurlEasy()
      let pins = try CurlList(Self.pins(destination, addresses))
      try prepare(easy, trust, timeoutMilliseconds)
      try easy.set(CURLOPT_URL, destination.origin + "/")
      try unsafe easy.setPointer(CURLOPT_RESOLVE, pins.pointer)
      defer { withExtendedLifetime(pins) {} }
      let start = ContinuousClock.now
      do throws(CurlFailure) { try easy.perform() } catch { report.fault = fault(error, easy) }
      let end = ContinuousClock.now
      report.connectMilliseconds = Self.milliseconds(start, securingSince ?? end)
      report.tlsMilliseconds = securingSince.map { Self.milliseconds($0, end) }
      report.certificatePEM = easy.certificatePEM
    } catch {
      report.fault = .other("\(error)")
    }
    return report
  }

  private func prepare(
    _ easy: borrowing CurlEasy, _ trust: ConnectionProbe.Trust, _ timeoutMilliseconds: Int
  ) throws(CurlFailure) {
    try easy.set(CURLOPT_NOSIGNAL, 1)
    // CURLOPT_CONNECT_ONLY(3): the connection is all, and no request follows.
    try easy.set(CURLOPT_CONNECT_ONLY, 1)
    try easy.set(CURLOPT_PROTOCOLS_STR, "https,http")
    try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    // "" switches off what https_proxy and its kin say.
    try easy.set(CURLOPT_PROXY, "")
    try easy.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, max(1, timeoutMilliseconds))
    try easy.set(CURLOPT_TIMEOUT_MS, max(1, timeoutMilliseconds))
    try easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    try easy.set(CURLOPT_CERTINFO, 1)
    switch trust {
    case .authorities(let caFile):
      try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
      try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
      if let caFile { try easy.set(CURLOPT_CAINFO, caFile) }
    case .anyCertificate:
      try easy.set(CURLOPT_SSL_VERIFYPEER, 0)
      try easy.set(CURLOPT_SSL_VERIFYHOST, 0)
    }
    let context = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    try unsafe easy.setPointer(CURLOPT_SSL_CTX_DATA, context)
    try unsafe easy.setTLSSetUp { _, _, context in
      guard let context = unsafe context else { return CURLE_SSL_CONNECT_ERROR }
      let connection = unsafe Unmanaged<ProbeConnection>.fromOpaque(context).takeUnretainedValue()
      connection.securingSince = connection.securingSince ?? .now
      return CURLE_OK
    }
    try unsafe easy.setPointer(
      CURLOPT_OPENSOCKETDATA, context)
    try unsafe easy.setOpenSocket { context, _, address in
      guard let context = unsafe context, let address = unsafe address else { return CURL_SOCKET_BAD }
      let connection = unsafe Unmanaged<ProbeConnection>.fromOpaque(context).takeUnretainedValue()
      return unsafe connection.openSocket(address)
    }
  }

  /// The last word before a connection is made: libcurl may have found the address otherwise than we did.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    guard let found = unsafe IPAddress(wake_socket_address(address)) else { return CURL_SOCKET_BAD }
    if let refusal = refusal(found) {
      denial = (found, refusal)
      return CURL_SOCKET_BAD
    }
    return unsafe openStreamSocket(address)
  }

  private func fault(_ failure: CurlFailure, _ easy: borrowing CurlEasy) -> ConnectionFault {
    if let denial { return .denied(denial.address, denial.refusal) }
    let isConnected = securingSince != nil
    switch failure.kind {
    case .certificate:
      return .certificate(CertificateFault(verification: easy.number(CURLINFO_SSL_VERIFYRESULT)))
    case .authorities: return .authorities
    case .handshake: return .handshake
    case .timedOut: return isConnected ? .silentTLS : .silent
    case .cannotConnect:
      switch Int32(easy.number(CURLINFO_OS_ERRNO)) {
      case ECONNREFUSED: return .refused
      case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT: return .unreachable
      default: return .other(failure.description)
      }
    // Whoever closes a connection on which nothing but a handshake was sent wants no TLS.
    case .closed: return isConnected ? .handshake : .other(failure.description)
    case .nameNotResolved, .malformedAnswer, .stoppedByCallback, .misuse, .other:
      return .other(failure.description)
    }
  }

  private static func milliseconds(_ start: ContinuousClock.Instant, _ end: ContinuousClock.Instant) -> Int {
    let (seconds, attoseconds) = start.duration(to: end).components
    return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
  }

  /// Lines of `CURLOPT_RESOLVE(3)`; a literal needs none.
  private static func pins(_ destination: Destination, _ addresses: [IPAddress]) -> [String] {
    guard case .name(let name) = destination.host else { return [] }
    return ["+\(name):\(destination.port):\(addresses.map(\.urlText).joined(separator: ","))"]
  }
}

extension CurlEasy {
  fileprivate func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe wake_easy_get_long(pointer, info, &value)
    return value
  }

  /// The first certificate that the peer showed (`CURLINFO_CERTINFO(3)`); the list stays libcurl's.
  fileprivate var certificatePEM: [UInt8]? {
    var found: UnsafeMutableRawPointer? = nil
    guard unsafe wake_easy_get_pointer(pointer, CURLINFO_CERTINFO, &found) == CURLE_OK,
      let list = unsafe found?.assumingMemoryBound(to: curl_certinfo.self),
      unsafe list.pointee.num_of_certs > 0
    else { return nil }
    var next = unsafe list.pointee.certinfo?.pointee
    while let entry = unsafe next {
      let line = unsafe String(cString: entry.pointee.data)
      if line.hasPrefix("Cert:") { return Array(line.dropFirst("Cert:".count).utf8) }
      unsafe next = entry.pointee.next
    }
    return nil
  }
}
