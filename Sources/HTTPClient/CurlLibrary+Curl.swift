internal import CCurl

/// libcurl's set-up for the whole process.
package enum CurlLibrary {
  /// `curl_global_init(3)`, run once before the first handle; the failure where it did not work.
  package static let ready: Result<Void, CurlFailure> = {
    let code = wake_global_init()
    return code == CURLE_OK ? .success(()) : .failure(CurlFailure(code))
  }()

  /// Whether libcurl does TLS by OpenSSL, so that what its TLS callback is given is an `SSL_CTX`.
  package static var usesOpenSSL: Bool {
    guard let info = unsafe wake_version_info(), let name = unsafe info.pointee.ssl_version else {
      return false
    }
    return unsafe String(cString: name).hasPrefix("OpenSSL/")
  }

  /// Where this system keeps its trusted certificates, as libcurl was built: a bundle, and a hashed folder.
  package static var systemTrust: (bundle: String?, folder: String?) {
    guard let info = unsafe wake_version_info() else { return (nil, nil) }
    let bundle = unsafe info.pointee.cainfo.map { unsafe String(cString: $0) }
    let folder = unsafe info.pointee.capath.map { unsafe String(cString: $0) }
    return (bundle, folder)
  }
}
