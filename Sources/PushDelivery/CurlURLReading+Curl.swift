internal import CCurl
internal import HTTPClient

/// How libcurl reads a URL: the same code takes it apart when it connects (`libcurl-url(3)`).
struct CurlURLReading {
  let scheme: String
  let host: String
  let port: String
  let path: String
  let query: String?

  /// The reading of `url`; nil where libcurl refuses it, or sees a user, a fragment or a zone.
  init?(_ url: String) {
    guard let handle = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_PATH_AS_IS)
    guard unsafe curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK else { return nil }

    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
      var text: UnsafeMutablePointer<CChar>? = nil
      // On success the text is ours to free with curl_free.
      guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text = unsafe text
      else { return nil }
      defer { unsafe curl_free(text) }
      return unsafe String(cString: text)
    }
    guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST),
      let port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT), let path = part(CURLUPART_PATH),
      part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil, part(CURLUPART_OPTIONS) == nil,
      part(CURLUPART_FRAGMENT) == nil, part(CURLUPART_ZONEID) == nil
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    query = part(CURLUPART_QUERY)
  }

  /// Whether libcurl would connect and send as `destination` says.
  func agrees(with destination: Destination) -> Bool {
    guard scheme == destination.scheme.rawValue, port == String(destination.port) else { return false }
    // An empty query is none to libcurl.
    let target = query.map { "\(path)?\($0)" } ?? path
    guard target == destination.target || target + "?" == destination.target else { return false }
    switch destination.host {
    case .name(let name):
      let host = host.lowercased()
      return host == name || host == name + "."
    case .address(let address) where address.isIPv6:
      return IPAddress(parsing: String(host.dropFirst().dropLast())) == address
    case .address(let address):
      return IPAddress(parsing: host) == address
    }
  }
}
