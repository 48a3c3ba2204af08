internal import CCurl
internal import HTTPClient

/// Many transfers on one thread: a multi handle with the connections that it keeps, freed with the value.
///
/// `curl_multi_cleanup(3)`: every easy handle is removed before.
@safe
struct CurlMulti: ~Copyable {
  private let pointer: UnsafeMutableRawPointer

  init() throws(CurlFailure) {
    try CurlLibrary.ready.get()
    guard let pointer = unsafe curl_multi_init() else { throw CurlFailure(CURLE_FAILED_INIT) }
    unsafe self.pointer = pointer
  }

  deinit { unsafe curl_multi_cleanup(pointer) }

  /// The handle's address, for `CurlMultiWakeup`.
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  func set(_ option: CURLMoption, _ value: Int) throws(CurlFailure) {
    try unsafe Self.check(wake_multi_set_long(pointer, option, value))
  }

  /// Starts the transfer at the next `perform`.
  func add(_ easy: borrowing CurlEasy) throws(CurlFailure) {
    try unsafe Self.check(curl_multi_add_handle(pointer, easy.pointer))
  }

  /// Ends the transfer, done or not; its connection is kept where it can be.
  func remove(_ easy: borrowing CurlEasy) {
    unsafe curl_multi_remove_handle(pointer, easy.pointer)
  }

  /// Does what can be done without waiting.
  func perform() throws(CurlFailure) {
    var running: Int32 = 0
    try unsafe Self.check(curl_multi_perform(pointer, &running))
  }

  /// Waits until a socket is ready, a timer of libcurl's is due, `milliseconds` have passed, or a wake-up.
  func poll(milliseconds: Int) throws(CurlFailure) {
    try unsafe Self.check(
      curl_multi_poll(pointer, nil, 0, Int32(clamping: max(0, milliseconds)), nil))
  }

  /// The next transfer that is done: the number that its `CURLOPT_PRIVATE` has, and how it ended.
  func nextDone() -> (place: Int, code: CURLcode)? {
    var left: Int32 = 0
    while let message = unsafe curl_multi_info_read(pointer, &left) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
        continue
      }
      let code = unsafe message.pointee.data.result
      var place: UnsafeMutableRawPointer? = nil
      _ = unsafe wake_easy_get_pointer(easy, CURLINFO_PRIVATE, &place)
      return (Int(bitPattern: place), code)
    }
    return nil
  }

  private static func check(_ code: CURLMcode) throws(CurlFailure) {
    guard code != CURLM_OK else { return }
    let explanation = unsafe String(cString: curl_multi_strerror(code))
    throw CurlFailure(kind: .misuse, code: Int(code.rawValue), explanation: explanation)
  }
}
