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

  /// Writes `line` over the one at `index` (0…), which is as long; false where it is not, and then nothing is changed. No
  /// transfer that uses the list may be under way.
  package mutating func replace(at index: Int, with line: String) -> Bool {
    var node = unsafe pointer
    for _ in 0..<index { unsafe node = node?.pointee.next }
    guard let text = unsafe node?.pointee.data else { return false }
    let octets = line.utf8
    var length = 0
    while length <= octets.count, unsafe text[length] != 0 { length += 1 }
    guard length == octets.count else { return false }
    for (place, octet) in octets.enumerated() { unsafe text[place] = CChar(bitPattern: octet) }
    return true
  }

  /// Adds a copy of `line` at the end.
  package mutating func append(_ line: String) throws(CurlFailure) {
    // `curl_slist_append(3)`: NULL leaves the old list as it was, and ours.
    guard let longer = unsafe curl_slist_append(pointer, line) else {
      throw CurlFailure(CURLE_OUT_OF_MEMORY)
    }
    unsafe pointer = longer
  }
}
