internal import HTTPListener
internal import StrictJSON

extension PushServerCharacter {
  /// NextPush, the provider in Nextcloud: hands on whatever comes to a token that it knows.
  static let nextPush = PushServerCharacter(
    accepting: { _ in .json(201, ["success": true], headers: [("TTL", "0")]) },
    refusing: { fault, _ in fault.part == .method ? HTTPResponse(status: 405) : nil },
    conditions: [
      .init("unknown", "404: no app has this token") { _ in .json(404, ["success": false]) }
    ])
}
