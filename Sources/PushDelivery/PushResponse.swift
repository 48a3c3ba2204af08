internal import WebPushCrypto

/// What a push server's answer leaves behind: two header fields and the beginning of the body. Everything else is
/// counted and dropped.
struct PushResponse {
  /// More octets than this, heads and body together, end the transfer: a push server has nothing to say that long.
  static let lengthMaximum = 65_536

  private(set) var retryAfter: String?
  private(set) var date: String?
  /// The first octets of the body.
  private(set) var words: [UInt8] = []
  private var headLength = 0
  private var bodyLength = 0
  private var isHeadComplete = false

  /// Whether more of the body came than was kept.
  var isCut: Bool { bodyLength > words.count }

  /// Takes one line of a head; false ends the transfer.
  mutating func takeHeaderLine(_ octets: UnsafeRawBufferPointer) -> Bool {
    headLength += octets.count
    guard headLength + bodyLength <= Self.lengthMaximum else { return false }
    if unsafe octets.starts(with: "HTTP/".utf8) {
      // A new head: an interim answer's (1xx) fields are not the answer's (RFC 9110 §15.2).
      retryAfter = nil
      date = nil
      isHeadComplete = false
      return true
    }
    // What follows the head are trailers, which are no header fields (RFC 9110 §6.5.1).
    guard !isHeadComplete else { return true }
    if unsafe octets.first == 0x0d || octets.first == 0x0a {
      isHeadComplete = true
    } else if unsafe Self.hasName("retry-after", octets) {
      retryAfter = unsafe Self.value("retry-after", octets)
    } else if unsafe Self.hasName("date", octets) {
      date = unsafe Self.value("date", octets)
    }
    return true
  }

  /// Takes a part of the body; false ends the transfer.
  mutating func takeBody(_ octets: UnsafeRawBufferPointer) -> Bool {
    bodyLength += octets.count
    unsafe words.append(contentsOf: octets.prefix(PushReason.octetsMaximum - words.count))
    return headLength + bodyLength <= Self.lengthMaximum
  }

  /// Whether a line is of the field `name` (lower case).
  private static func hasName(_ name: String, _ line: UnsafeRawBufferPointer) -> Bool {
    let name = name.utf8
    guard line.count > name.count, unsafe line[name.count] == UInt8(ascii: ":") else { return false }
    return unsafe zip(line, name).allSatisfy { $0 | 0x20 == $1 || $0 == $1 }
  }

  private static func value(_ name: String, _ line: UnsafeRawBufferPointer) -> String {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d || $0 == 0x0a }
    let value = unsafe Array(line.dropFirst(name.utf8.count + 1).prefix(256))
    let trimmed = value.drop(while: isSpace)
    let end = trimmed.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? trimmed.startIndex
    return String(decoding: trimmed[..<end], as: UTF8.self)
  }
}

extension PushResponse {
  /// The answer with a final status (RFC 9110 §15), for the message that it came to.
  func answer(status: Int, message: WakeMessage, target: String, nowSeconds: Int64) -> PushAnswer {
    let outcome = PushOutcome(
      status: status, hasRetryAfter: retryAfter != nil,
      // Nobody asks of another status, and searching costs more than all the rest.
      bodySpeaksOfVAPID: status == 400 && PushReason.speaksOfVAPID(words))
    var answer = PushAnswer(outcome: outcome, status: status)
    answer.date = date
    if message.isUrgent {
      let words = String(decoding: words, as: UTF8.self)
      answer.server = PushServerKind(origin: message.endpoint.origin, status: status, words: words)
      answer.isPage = WebPage.begins(words)
    }
    guard outcome != .accepted else { return answer }
    let own = PushReason.text(words, isCut: isCut, target: target, authorization: message.authorization)
    // A body that was cut is looked at no further: its code may stand in another place than the one that was kept.
    answer.reason = isCut ? own : PushServerCode.kept(in: own, status: status, body: words)
    if outcome == .throttled, let retryAfter {
      let now = date.flatMap { HTTPDate(parsing: $0, nowSeconds: nowSeconds)?.seconds } ?? nowSeconds
      answer.retryAfterSeconds = RetryAfter(parsing: retryAfter, dateSeconds: now)?.seconds
    }
    return answer
  }
}
