internal import CCurl

extension CurlEasy {
  /// Takes the pinned certificate and no other one, and speaks https alone, so that nothing goes past the pin.
  ///
  /// The check happens in the handshake: libcurl sends the request after it, and not at all where it fails.
  func prepare(_ pin: PinnedCertificate) throws(CurlFailure) {
    guard CurlLibrary.usesOpenSSL else { throw CurlFailure(CURLE_NOT_BUILT_IN) }
    try set(CURLOPT_PROTOCOLS_STR, "https")
    // Without it OpenSSL would go on whatever the pin says.
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 0)
    // A machine without authorities can pin all the same.
    try set(CURLOPT_CAINFO, nil)
    try set(CURLOPT_CAPATH, nil)
    try unsafe setPointer(CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(pin).toOpaque())
    try unsafe setTLSSetUp { _, context, pin in
      guard let context = unsafe context, let pin = unsafe pin else { return CURLE_SSL_CONNECT_ERROR }
      unsafe Unmanaged<PinnedCertificate>.fromOpaque(pin).takeUnretainedValue().guardConnections(of: context)
      return CURLE_OK
    }
  }
}
