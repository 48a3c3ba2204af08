internal import HTTPListener
internal import StrictJSON

/// The answer to an examination: live, finding by finding, for who asks for `text/event-stream`; otherwise one document
/// at its end.
enum DoctorAnswer {
  /// Octets that may wait for a reader: all findings of the largest examination, many times over.
  private static let waitingOctets = 262_144
  /// Between two comments that show that somebody is still there (wire contract: 15 s).
  private static let heartbeat = Duration.seconds(10)
  private static let mediaType = "text/event-stream"

  static func to(
    _ context: RouteContext, _ examine: @escaping @Sendable (Examination) async -> Void
  ) async -> HTTPResponse {
    guard wantsStream(context.request) else {
      let examination = Examination()
      await examine(examination)
      return .json(examination.report.json)
    }
    let stream = HTTPStream(capacity: waitingOctets)
    Task { await run(examine, into: stream) }
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", mediaType), ("Cache-Control", "no-store"),
        // nginx and its kin: hand every piece on at once.
        ("X-Accel-Buffering", "no"),
      ], stream: stream)
  }

  private static func wantsStream(_ request: HTTPRequest) -> Bool {
    (request.header("Accept") ?? "").split(separator: ",").contains {
      MediaType.essence(String($0)) == mediaType
    }
  }

  private static func run(
    _ examine: @Sendable (Examination) async -> Void, into stream: HTTPStream
  ) async {
    let beating = Task {
      while (try? await Task.sleep(for: heartbeat)) != nil, stream.write(EventText.heartbeat) {}
    }
    let examination = Examination(
      telling: { stream.write(event("finding", $0.json)) }, isWanted: { stream.isOpen })
    await examine(examination)
    beating.cancel()
    stream.write(event("done", examination.report.summary))
    stream.finish()
  }

  private static func event(_ name: String, _ data: JSONValue) -> [UInt8] {
    Array("event: \(name)\ndata: ".utf8) + data.serialized() + Array("\n\n".utf8)
  }
}
