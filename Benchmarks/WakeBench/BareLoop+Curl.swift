import CCurl
import Foundation
import Synchronization
import WebPushCrypto

/// The bare thing: messages encrypted on all cores and sent by one plain libcurl loop, with no registry, no policy, no
/// attempt, and nothing looked at but the status.
final class BareLoop {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  /// Bodies that are encrypted ahead.
  private static let ahead = 512

  private let multi: OpaqueHandle
  private var handles: [OpaqueHandle] = []
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let origin: String
  private let keys: UserAgentKeys
  private let plaintext: [UInt8]

  typealias OpaqueHandle = UnsafeMutableRawPointer

  /// - Parameter connections: as many as the service has to one origin; over HTTP/2, streams of one connection.
  init(
    origin: String, caFile: String, plaintext: [UInt8], keys: UserAgentKeys, authorization: String,
    connections: Int, http2: Bool = false
  ) throws {
    guard let multi = curl_multi_init() else { throw Failed(description: "libcurl does not begin") }
    (self.multi, self.origin, self.keys, self.plaintext) = (multi, origin, keys, plaintext)
    for line in [
      "TTL: 86400", "Urgency: high", "Topic: AAAAAAAAAAAAAAAAAAAAAA", "Content-Encoding: aes128gcm",
      "Content-Type: application/octet-stream", "Authorization: \(authorization)", "Accept:", "Expect:",
    ] { headers = curl_slist_append(headers, line) }
    for _ in 0..<connections {
      guard let easy = curl_easy_init() else { throw Failed(description: "libcurl does not begin") }
      handles.append(easy)
      let version = http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
      _ = wake_easy_set_long(easy, CURLOPT_HTTP_VERSION, Int(version))
      _ = wake_easy_set_long(easy, CURLOPT_PIPEWAIT, http2 ? 1 : 0)
      _ = wake_easy_set_long(easy, CURLOPT_NOSIGNAL, 1)
      _ = wake_easy_set_long(easy, CURLOPT_TIMEOUT_MS, 10_000)
      _ = wake_easy_set_long(easy, CURLOPT_POST, 1)
      _ = wake_easy_set_pointer(easy, CURLOPT_PROXY, "")
      _ = wake_easy_set_pointer(easy, CURLOPT_CAINFO, caFile)
      _ = wake_easy_set_pointer(easy, CURLOPT_HTTPHEADER, headers)
      _ = wake_easy_set_sink(easy, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
    }
  }

  deinit {
    for easy in handles {
      curl_multi_remove_handle(multi, easy)
      curl_easy_cleanup(easy)
    }
    curl_multi_cleanup(multi)
    curl_slist_free_all(headers)
  }

  /// Bodies on their way from the cores that encrypt to the thread that sends.
  private final class Bodies: Sendable {
    let waiting = Mutex<[[UInt8]]>([])
    let room = DispatchSemaphore(value: BareLoop.ahead)
  }

  /// Encrypts and sends `count` messages; how long that took.
  func send(_ count: Int) throws -> Duration {
    let bodies = Bodies()
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let (keys, plaintext, multi) = (keys, plaintext, UInt(bitPattern: multi))
    let start = ContinuousClock.now
    for core in 0..<cores {
      Thread {
        for _ in stride(from: core, to: count, by: cores) {
          bodies.room.wait()
          let body = (try? WebPushMessage.encrypt(plaintext, for: keys, bodyLength: 256)) ?? []
          let isFirst = bodies.waiting.withLock { waiting in
            waiting.append(body)
            return waiting.count == 1
          }
          if isFirst { curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi)) }
        }
      }.start()
    }
    try run(count, bodies)
    return ContinuousClock.now - start
  }

  private func run(_ count: Int, _ bodies: Bodies) throws {
    var free = handles
    var (begun, done) = (0, 0)
    var ready: [[UInt8]] = []
    while done < count {
      if ready.isEmpty {
        ready = bodies.waiting.withLock { waiting in
          defer { waiting = [] }
          return waiting
        }
      }
      while !ready.isEmpty, let easy = free.popLast() {
        begin(easy, ready.removeLast(), number: begun)
        begun += 1
        bodies.room.signal()
      }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      while let easy = try finished() {
        free.append(easy)
        done += 1
      }
      // What ended made room: nothing is waited for while a message may begin.
      let hasMessage = !ready.isEmpty || bodies.waiting.withLock { !$0.isEmpty }
      if done < count, free.isEmpty || !hasMessage { curl_multi_poll(multi, nil, 0, 1_000, nil) }
    }
  }

  private func begin(_ easy: OpaqueHandle, _ body: [UInt8], number: Int) {
    _ = wake_easy_set_pointer(easy, CURLOPT_URL, "\(origin)/up/\(number)")
    _ = wake_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
    _ = body.withUnsafeBytes { wake_easy_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
    curl_multi_add_handle(multi, easy)
  }

  private func finished() throws -> OpaqueHandle? {
    var left: Int32 = 0
    guard let message = curl_multi_info_read(multi, &left), let easy = message.pointee.easy_handle else {
      return nil
    }
    let code = message.pointee.data.result
    var status = 0
    _ = wake_easy_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
    guard (200...299).contains(status) else {
      throw Failed(
        description: "libcurl alone: status \(status), \(String(cString: curl_easy_strerror(code)))")
    }
    curl_multi_remove_handle(multi, easy)
    return easy
  }
}
