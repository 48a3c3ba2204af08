import Foundation
import Synchronization

/// A push server in plain http that does nothing but note when the first octet of each request came: by one thread that
/// looks at all connections.
final class WireSink: Sendable {
  private struct State {
    /// By the number at the end of the request's path.
    var arrivals: [Int: [ContinuousClock.Instant]] = [:]
    var count = 0
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
    let isEnding = Atomic(false)
  }

  private let shared = Shared()
  let port: Int

  init() throws {
    port = try TLSFolder.freePort()
    let listening = try LoopbackAddress.listen(port: port)
    Thread { [shared] in Self.run(listening, shared) }.start()
  }

  /// Requests that came so far.
  var count: Int { shared.state.withLock { $0.count } }

  /// When each request to a path came, oldest first.
  func arrivals(at number: Int) -> [ContinuousClock.Instant] {
    shared.state.withLock { $0.arrivals[number] ?? [] }
  }

  func end() { shared.isEnding.store(true, ordering: .relaxed) }

  private static let answer = Array("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n".utf8)

  private static func run(_ listening: Int32, _ shared: Shared) {
    var sockets = [pollfd(fd: listening, events: Int16(POLLIN), revents: 0)]
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !shared.isEnding.load(ordering: .relaxed) {
      guard poll(&sockets, nfds_t(sockets.count), 100) > 0 else { continue }
      for index in sockets.indices.reversed() where sockets[index].revents != 0 {
        if index == 0 {
          sockets.append(pollfd(fd: accept(listening, nil, nil), events: Int16(POLLIN), revents: 0))
          continue
        }
        let now = ContinuousClock.now
        let length = read(sockets[index].fd, &buffer, buffer.count)
        if length <= 0 {
          close(sockets[index].fd)
          sockets.remove(at: index)
        } else if let number = number(in: buffer[..<length]) {
          // libcurl writes head and body of a wake at once; where it should not, the body has no number.
          shared.state.withLock { state in
            state.arrivals[number, default: []].append(now)
            state.count += 1
          }
          _ = write(sockets[index].fd, answer, answer.count)
        }
      }
    }
    for socket in sockets { close(socket.fd) }
  }

  /// `7` for `POST /up/7 HTTP/1.1`.
  private static func number(in octets: ArraySlice<UInt8>) -> Int? {
    let path = octets.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " ")).dropFirst()
      .first
    guard let path, octets.starts(with: "POST ".utf8) else { return nil }
    return Int(String(decoding: path.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self))
  }
}

/// `127.0.0.1` with a port, as the socket calls want it.
enum LoopbackAddress {
  static func of(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return address
  }

  /// A socket that listens there.
  static func listen(port: Int) throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var yes: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = of(port: port)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard bound == 0, Glibc.listen(socket, 128) == 0 else {
      close(socket)
      throw ServiceProcess.Failed(description: "port \(port) is not free")
    }
    return socket
  }

  /// A socket that is connected to it; below 0 where it is not.
  static func connect(port: Int) -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = of(port: port)
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if connected == 0 { return socket }
    close(socket)
    return -1
  }
}
