package import CCurl

/// One transfer of libcurl: an easy handle, freed with the value.
///
/// `curl_easy_init(3)`: a handle belongs to one thread at a time. Strings that an option is given are
/// copied by libcurl; lists and callback data are not, and must outlive their use.
@safe
package struct CurlEasy: ~Copyable {
  /// The handle, for the calls of the multi interface and of callbacks.
  package let pointer: UnsafeMutableRawPointer

  /// A new handle with libcurl's defaults, after the library was set up once for the process.
  package init() throws(CurlFailure) {
    try CurlLibrary.ready.get()
    guard let pointer = unsafe curl_easy_init() else { throw CurlFailure(CURLE_FAILED_INIT) }
    unsafe self.pointer = pointer
  }

  deinit { unsafe curl_easy_cleanup(pointer) }

  /// Sets an option that takes a number.
  package func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_long(pointer, option, value))
  }

  /// Sets an option that takes a `curl_off_t`.
  package func setOffset(_ option: CURLoption, _ value: Int64) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_offset(pointer, option, curl_off_t(value)))
  }

  /// Sets an option that takes a string, which libcurl copies; nil is "not set".
  package func set(_ option: CURLoption, _ value: String?) throws(CurlFailure) {
    guard let value else { return try unsafe setPointer(option, nil) }
    let code = unsafe value.withCString { unsafe wake_easy_set_pointer(pointer, option, $0) }
    try CurlFailure.check(code)
  }

  /// Sets an option that takes a pointer. libcurl keeps the pointer: what it points to must outlive its use.
  package func setPointer(_ option: CURLoption, _ value: UnsafeRawPointer?) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_pointer(pointer, option, value))
  }

  /// Sets `CURLOPT_WRITEFUNCTION` or `CURLOPT_HEADERFUNCTION`.
  package func setSink(_ option: CURLoption, _ function: curl_write_callback) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_sink(pointer, option, function))
  }

  /// Sets `CURLOPT_OPENSOCKETFUNCTION`.
  package func setOpenSocket(_ function: curl_opensocket_callback) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_open_socket(pointer, function))
  }

  /// Sets `CURLOPT_PREREQFUNCTION`.
  package func setBeforeRequest(_ function: curl_prereq_callback) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_before_request(pointer, function))
  }

  /// Sets `CURLOPT_SSL_CTX_FUNCTION`.
  package func setTLSSetUp(_ function: curl_ssl_ctx_callback) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_tls_set_up(pointer, function))
  }

  /// Sets `CURLOPT_XFERINFOFUNCTION` and has it called.
  package func setProgress(_ function: curl_xferinfo_callback) throws(CurlFailure) {
    try unsafe CurlFailure.check(wake_easy_set_progress(pointer, function))
    try set(CURLOPT_NOPROGRESS, 0)
  }

  /// Gives the transfer a body of its own, copied by libcurl, with its length (so it is never chunked).
  package func setBody(_ octets: [UInt8]) throws(CurlFailure) {
    try set(CURLOPT_POST, 1)
    // The size first: it is what CURLOPT_COPYPOSTFIELDS copies.
    try setOffset(CURLOPT_POSTFIELDSIZE_LARGE, Int64(octets.count))
    let code = unsafe octets.withUnsafeBytes { buffer in
      // An empty array may have no address, and NULL would mean "read the body from a callback".
      if let address = buffer.baseAddress {
        unsafe wake_easy_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, address)
      } else {
        unsafe "".withCString { unsafe wake_easy_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, $0) }
      }
    }
    try CurlFailure.check(code)
  }

  /// Runs the transfer to its end on the calling thread.
  package func perform() throws(CurlFailure) {
    try unsafe CurlFailure.check(curl_easy_perform(pointer))
  }

  /// Every option as in a new handle; connections, names and TLS sessions are kept.
  package func reset() { unsafe curl_easy_reset(pointer) }

  /// The status of the last answer, or 0 where none came.
  package var status: Int {
    var value = 0
    _ = unsafe wake_easy_get_long(pointer, CURLINFO_RESPONSE_CODE, &value)
    return value
  }
}
