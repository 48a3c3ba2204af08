package import CCurl

/// A list of strings as libcurl wants them (`curl_slist`), freed with the value.
@safe
package struct CurlList: ~Copyable {
  /// The first node, or nil for an empty list.
  package private(set) var pointer: UnsafeMutablePointer<curl_slist>?

  /// An empty list.
  package init() { unsafe pointer = nil }

  /// A list of `lines` in their order.
  package init(_ lines: [String]) throws(CurlFailure) {
    self.init()
    for line in lines { try append(line) }
  }

  deinit { unsafe curl_slist_free_all(pointer) }

  /// Adds a copy of `line` at the end.
  package mutating func append(_ line: String) throws(CurlFailure) {
    // `curl_slist_append(3)`: NULL leaves the old list as it was, and ours.
    guard let longer = unsafe curl_slist_append(pointer, line) else {
      throw CurlFailure(CURLE_OUT_OF_MEMORY)
    }
    unsafe pointer = longer
  }
}
