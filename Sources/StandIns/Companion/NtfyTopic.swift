internal import CryptoPrimitives
internal import HTTPClient
internal import StrictJSON

/// A topic of an ntfy server, followed as its subscribe API has it: one JSON object a line, for ever.
struct NtfyTopic: Sendable {
  /// One message of a topic.
  struct Message: Sendable, Equatable {
    let id: String
    let body: [UInt8]

    /// Reads a line; nil for what is no message: `open`, `keepalive`, and whatever comes with later versions.
    init?(line: [UInt8]) {
      guard let json = try? StrictJSON.parse(line, limits: JSONLimits(octets: NtfyTopic.lineLengthMaximum)),
        json["event"]?.string == "message", let id = json["id"]?.string, id.isOpaque,
        let text = json["message"]?.string
      else { return nil }
      self.id = id
      // What is not UTF-8 comes in base64.
      if json["encoding"]?.string == "base64" {
        guard let octets = Base64URL.decodeEitherAlphabet(text) else { return nil }
        body = octets
      } else {
        body = Array(text.utf8)
      }
    }
  }

  /// Octets of a line: a message has 4 KiB unless the server's owner says otherwise, and base64 and JSON around it.
  static let lineLengthMaximum = 65_536
  /// Seconds without an octet: ntfy sends `keepalive` every 45 s, two of which may be missed.
  static let idleSeconds = 120

  /// `https://ntfy.example/upTOPIC`, without a query.
  let url: String
  let http: HTTPClient

  /// Reads messages after `since`, or all that the server still has, until the connection ends.
  func follow(
    since: String?, each: (Message) async throws(CompanionError) -> Void
  ) async throws(CompanionError) {
    let stream: StreamedExchange
    do throws(HTTPClientError) {
      stream = try await http.stream(
        "GET", "\(url)/json?since=\(since ?? "all")", idleSeconds: Self.idleSeconds)
    } catch { throw .unreachable("\(error)") }
    defer { stream.cancel() }
    guard stream.status == 200 else { throw .refused(status: stream.status, code: nil) }
    var reader = LineReader(lengthMaximum: Self.lineLengthMaximum)
    while true {
      let piece: [UInt8]?
      do throws(HTTPClientError) { piece = try await stream.next() } catch { throw .unreachable("\(error)") }
      guard let piece else { return }
      let lines: [[UInt8]]
      do throws(LineReader.TooLong) { lines = try reader.read(piece) } catch {
        throw .malformed("a line beyond all bounds")
      }
      for message in lines.compactMap(Message.init(line:)) { try await each(message) }
    }
  }
}
