extension HostileFault {
  /// Between two octets of a trickle: often enough that no timer for idle lines notices.
  private static let trickleMilliseconds: Int32 = 200
  /// Octets that are sent in one call of what does not end.
  private static let blockOctets = 16_384

  /// Does it to a connection; returns when the other side has left, or the connection has had its time.
  func commit(on connection: borrowing RawConnection, target: String) {
    switch self {
    case .silent: connection.waitForTheEnd()
    case .trickle: trickle(on: connection)
    case .stall:
      connection.send("HTTP/1.1 201 \r\nContent-Length: 1024\r\n\r\n")
      connection.waitForTheEnd()
    case .endlessBody:
      // In chunks, so that no length announces it.
      let block = String(repeating: "x", count: Self.blockOctets)
      let chunk = "\(String(Self.blockOctets, radix: 16))\r\n\(block)\r\n"
      connection.send("HTTP/1.1 201 \r\nTransfer-Encoding: chunked\r\n\r\n")
      flood(connection, with: chunk)
    case .endlessHeaders:
      connection.send("HTTP/1.1 201 \r\n")
      flood(connection, with: "X-More: \(String(repeating: "x", count: 1_024))\r\n")
    case .gzipBomb:
      let octets = GzipBomb.octets
      connection.send(
        "HTTP/1.1 201 \r\nContent-Encoding: gzip\r\nContent-Length: \(octets.count)\r\nConnection: close\r\n\r\n"
      )
      connection.send(octets)
    case .hintFlood: flood(connection, with: "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")
    case .redirectLoop:
      connection.send(
        "HTTP/1.1 307 \r\nLocation: \(target)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    case .garbage: connection.send(Array(0...255))
    case .goaway: connection.send(HTTP2Frames.settings + HTTP2Frames.goaway)
    case .cut: connection.send("HTTP/1.1 201 \r\nContent-Length: 1024\r\n\r\nhalf")
    case .reset: connection.resetsAtTheEnd()
    case .earlyClose: break
    case .earlyAnswer: connection.send("HTTP/1.1 201 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }
  }

  private func flood(_ connection: borrowing RawConnection, with text: String) {
    let octets = Array(text.utf8)
    while connection.send(octets) {}
  }

  private func trickle(on connection: borrowing RawConnection) {
    var text = Array("HTTP/1.1 201 \r\nX-Slow: ".utf8)[...]
    while connection.send([text.popFirst() ?? UInt8(ascii: "x")]),
      connection.stays(for: Self.trickleMilliseconds)
    {}
  }
}

/// As much of HTTP/2 as it takes to be misunderstood (RFC 9113 §6.5, §6.8).
private enum HTTP2Frames {
  /// An empty SETTINGS frame on stream 0.
  static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
  /// GOAWAY on stream 0: no stream was handled, and there was no error.
  static let goaway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0]
}
