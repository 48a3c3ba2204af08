package import CCurl

extension CurlFailure {
  /// The funnel: every result of libcurl's easy interface goes through here.
  package static func check(_ code: CURLcode) throws(CurlFailure) {
    if code != CURLE_OK { throw CurlFailure(code) }
  }

  /// The failure that `code` stands for.
  package init(_ code: CURLcode) {
    let kind: Kind =
      switch code {
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameNotResolved
      case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: .cannotConnect
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH:
        .certificate
      case CURLE_SSL_CACERT_BADFILE: .authorities
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .handshake
      case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2,
        CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
        .closed
      case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
        .malformedAnswer
      case CURLE_WRITE_ERROR, CURLE_ABORTED_BY_CALLBACK: .stoppedByCallback
      case CURLE_OUT_OF_MEMORY, CURLE_UNKNOWN_OPTION, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_FAILED_INIT,
        CURLE_NOT_BUILT_IN, CURLE_URL_MALFORMAT, CURLE_SSL_ENGINE_INITFAILED:
        .misuse
      default: .other
      }
    // A string of libcurl's own that lives as long as the process.
    let explanation = unsafe String(cString: curl_easy_strerror(code))
    self.init(kind: kind, code: Int(code.rawValue), explanation: explanation)
  }
}
