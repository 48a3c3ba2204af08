internal import CCurl

extension CurlEasy {
  /// Trusts `authorities`, which must outlive the handle, and no others.
  package func trust(_ authorities: TrustedAuthorities) throws(CurlFailure) {
    guard CurlLibrary.usesOpenSSL else { throw CurlFailure(CURLE_NOT_BUILT_IN) }
    try set(CURLOPT_CAINFO, nil)
    try set(CURLOPT_CAPATH, nil)
    // libcurl would keep what the first connection trusted, for a day, and put it in the place of what is set here.
    try set(CURLOPT_CA_CACHE_TIMEOUT, 0)
    // Whoever resumes a session is not asked for a certificate again: one that has expired, or whose authority is trusted
    // no more, would do.
    try set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    try unsafe setPointer(CURLOPT_SSL_CTX_DATA, Unmanaged.passUnretained(authorities).toOpaque())
    try unsafe setTLSSetUp { _, context, authorities in
      guard let context = unsafe context, let authorities = unsafe authorities else {
        return CURLE_SSL_CONNECT_ERROR
      }
      let isTrusting = unsafe Unmanaged<TrustedAuthorities>.fromOpaque(authorities).takeUnretainedValue()
        .guardConnections(of: context)
      return isTrusting ? CURLE_OK : CURLE_SSL_CACERT_BADFILE
    }
  }
}
