import Foundation
import Glibc
import Synchronization

/// Many open event streams on one thread, and how long after its moment each alert came: raw sockets and poll, so that
/// the measuring takes as little of the machine as it can.
final class StreamReaders: Sendable {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  private struct State {
    var milliseconds: [Double] = []
    var ends = 0
  }

  /// An alert's `ref` says when it was raised, in nanoseconds of the clock that all processes share.
  private static let mark = Array(#""ref":""#.utf8)

  private let descriptors: [Int32]
  private let state = Mutex(State())
  private let isStopping = Atomic(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  /// Opens one stream after a cursor and reads until `count` alerts came; how long that took, in milliseconds.
  static func replay(
    address: String, stack: String, token: String, after cursor: String, count: Int
  ) throws -> Double {
    let start = now
    let descriptor = try connected(to: address)
    defer { close(descriptor) }
    try ask(descriptor, address: address, stack: stack, token: token, after: cursor)
    var buffer = [UInt8](repeating: 0, count: 262_144)
    var rest: [UInt8] = []
    var marks: [Double] = []
    while marks.count < count {
      let received = recv(descriptor, &buffer, buffer.count, 0)
      guard received > 0 else { throw Failed(description: "a replay ended after \(marks.count) alerts") }
      rest += buffer[..<received]
      takeMarks(from: &rest, at: now, into: &marks)
    }
    return Double(now - start) / 1_000_000
  }

  private static func ask(
    _ descriptor: Int32, address: String, stack: String, token: String, after cursor: String? = nil
  ) throws {
    let field = cursor.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    let request =
      "GET /v1/stacks/\(stack)/events HTTP/1.1\r\nHost: \(address)\r\nAuthorization: Bearer \(token)\r\n\(field)\r\n"
    guard send(descriptor, request, request.utf8.count, 0) == request.utf8.count else {
      throw Failed(description: "a stream could not be asked for")
    }
  }

  /// Opens a stream for each token and waits until each has said hello.
  init(address: String, stack: String, tokens: [String]) throws {
    var descriptors: [Int32] = []
    for token in tokens {
      let descriptor = try Self.connected(to: address)
      try Self.ask(descriptor, address: address, stack: stack, token: token)
      descriptors.append(descriptor)
    }
    self.descriptors = descriptors
    var buffer = [UInt8](repeating: 0, count: 65_536)
    for descriptor in descriptors {
      var head = ""
      while !head.contains("event: hello") {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw Failed(description: "a stream ended at once: \(head)") }
        head += String(decoding: buffer[..<count], as: UTF8.self)
      }
    }
    Thread.detachNewThread { self.read() }
  }

  /// Now, as alerts are marked.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// What came so far: the delay of each alert on each stream, in milliseconds.
  var milliseconds: [Double] { state.withLock(\.milliseconds) }

  /// Streams that ended by themselves.
  var ends: Int { state.withLock(\.ends) }

  func stop() {
    isStopping.store(true, ordering: .relaxed)
    hasStopped.wait()
    for descriptor in descriptors { close(descriptor) }
  }

  private func read() {
    defer { hasStopped.signal() }
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var rests = [[UInt8]](repeating: [], count: descriptors.count)
    var buffer = [UInt8](repeating: 0, count: 262_144)
    while !isStopping.load(ordering: .relaxed) {
      guard poll(&polled, nfds_t(polled.count), 100) > 0 else { continue }
      let now = Self.now
      var delays: [Double] = []
      for index in polled.indices where polled[index].revents != 0 {
        let count = recv(polled[index].fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 {
          rests[index] += buffer[..<count]
          Self.takeMarks(from: &rests[index], at: now, into: &delays)
        } else if count == 0 {
          polled[index].fd = -1
          state.withLock { $0.ends += 1 }
        }
      }
      state.withLock { $0.milliseconds += delays }
    }
  }

  /// Reads the marks of whole lines, and leaves the last, which is not whole yet.
  private static func takeMarks(from octets: inout [UInt8], at now: UInt64, into delays: inout [Double]) {
    guard let end = octets.lastIndex(of: UInt8(ascii: "\n")) else { return }
    octets.withUnsafeBufferPointer { octets in
      var position = 0
      while position + mark.count < end {
        guard octets[position] == mark[0],
          mark.indices.allSatisfy({ octets[position + $0] == mark[$0] })
        else {
          position += 1
          continue
        }
        position += mark.count
        var sent: UInt64 = 0
        while position < end, (0x30...0x39).contains(octets[position]) {
          sent = sent * 10 + UInt64(octets[position] - 0x30)
          position += 1
        }
        delays.append(Double(now &- sent) / 1_000_000)
      }
    }
    octets.removeSubrange(...end)
  }

  /// A socket that is connected to `host:port` on loopback.
  static func connected(to address: String) throws -> Int32 {
    guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
      throw Failed(description: "\(address) has no port")
    }
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failed(description: "a stream could not be connected") }
    return descriptor
  }
}
