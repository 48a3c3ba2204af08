/// What comes back during one endless transfer: filled by libcurl's callbacks on the transfer's thread.
final class StreamSink {
  private let pipe: StreamPipe
  private let idle: Duration
  private let fields = ResponseSink(bodyLengthMaximum: 0)
  private var status = 0
  private var hasHead = false
  private var lastOctet = ContinuousClock.now
  /// Whether nothing came for too long.
  private(set) var isIdle = false

  var overflowed: Bool { fields.overflowed }

  init(_ pipe: StreamPipe, idle: Duration) {
    self.pipe = pipe
    self.idle = idle
  }

  /// Takes one line of a head; false stops the transfer.
  func takeHeaderLine(_ octets: UnsafeRawBufferPointer) -> Bool {
    lastOctet = .now
    // Fields behind the body (RFC 9110 §6.5) are nobody's.
    if hasHead { return true }
    let line = unsafe String(decoding: octets, as: UTF8.self)
    if line.hasPrefix("HTTP/") {
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    } else if line.allSatisfy(\.isNewline), status >= 200 {
      hasHead = true
      pipe.put(StreamPipe.Head(status: status, headers: fields.headers))
      return true
    }
    return unsafe fields.takeHeaderLine(octets)
  }

  /// Takes a part of the body, and waits until there is room for it; false stops the transfer.
  func takeBody(_ octets: UnsafeRawBufferPointer) -> Bool {
    let isWanted = unsafe pipe.put(Array(octets))
    // After the wait: a slow reader is not a silent server.
    lastOctet = .now
    return isWanted
  }

  /// Whether the transfer goes on; asked about once a second.
  func goesOn() -> Bool {
    if pipe.isCancelled { return false }
    isIdle = lastOctet.duration(to: .now) >= idle
    return !isIdle
  }
}
