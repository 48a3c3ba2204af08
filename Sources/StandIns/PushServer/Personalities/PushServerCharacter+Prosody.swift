internal import HTTPListener

extension PushServerCharacter {
  /// Prosody's mod_unified_push: looks at the length alone.
  static let prosody = PushServerCharacter(
    accepting: { _ in HTTPResponse(status: 201) },
    refusing: { fault, push in
      switch fault.part {
      case .method: HTTPResponse(status: 405)
      case .length: HTTPResponse(status: push.request.body.isEmpty ? 400 : 413)
      default: nil
      }
    },
    conditions: [
      .init("unknown", "404: the token is unknown, or has expired") { _ in HTTPResponse(status: 404) },
      .init("broken", "500, where 404 or 503 is meant") { _ in HTTPResponse(status: 500) },
      .init("lost", "201, and the message is lost: the client is offline") { _ in HTTPResponse(status: 201) },
      .init("silent", "201 after 120 s: the client does not answer", delayMilliseconds: 120_000) { _ in
        HTTPResponse(status: 201)
      },
    ])
}
