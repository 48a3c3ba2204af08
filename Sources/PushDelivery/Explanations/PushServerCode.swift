/// What a push server says by a code of its own, as it stands in its words.
///
/// Found again in the reason of a row, which may be cut and in which secrets are masked: so it is looked for by its name
/// alone, and what follows need not be whole.
enum PushServerCode: Hashable {
  /// ntfy: `{"code":42901,"http":429,"error":"…"}`.
  case ntfy(Int)
  /// Mozilla's autopush: `{"code":401,"errno":109,"error":"…","message":"…"}`.
  case autopush(Int)
  /// Apple: `{"reason":"BadJwtToken"}`.
  case apple(String)
  /// FCM, which answers in prose, by the beginning of what it says.
  case fcm(String)

  /// The code in the words of an answer that is no success; nil where there is none.
  init?(status: Int, words: String) {
    if let number = Self.value(of: "errno", in: words).flatMap({ Int($0) }) {
      self = .autopush(number)
    } else if let number = Self.value(of: "code", in: words).flatMap({ Int($0) }), number / 100 == status {
      self = .ntfy(number)
    } else if let reason = Self.value(of: "reason", in: words) {
      self = .apple(reason)
    } else if let sentence = Explanations.fcm.keys.first(where: words.contains) {
      self = .fcm(sentence)
    } else {
      return nil
    }
  }

  /// What it means; nil for one that is not known.
  var explanation: Explanation? {
    switch self {
    case .ntfy(let code): Explanations.ntfy[code]
    case .autopush(let errno): Explanations.autopush[errno]
    case .apple(let reason): Explanations.apple[reason]
    case .fcm(let sentence): Explanations.fcm[sentence]
    }
  }

  /// The push server's words with its code in front, where the code is known and did not make it into them.
  static func kept(in words: String?, status: Int, body: [UInt8]) -> String? {
    let code = PushServerCode(status: status, words: String(decoding: body, as: UTF8.self))
    guard let code, code.explanation != nil else { return words }
    guard let words else { return PushReason.printable(code.text) }
    return PushServerCode(status: status, words: words) == code
      ? words : PushReason.printable("\(code.text) \(words)")
  }

  /// How the push server writes it.
  private var text: String {
    switch self {
    case .ntfy(let code): #"{"code":\#(code)}"#
    case .autopush(let errno): #"{"errno":\#(errno)}"#
    case .apple(let reason): #"{"reason":"\#(reason)"}"#
    case .fcm(let sentence): sentence
    }
  }

  /// The value of the first JSON member of that name: digits, or a word in quotation marks.
  private static func value(of name: String, in words: String) -> String? {
    guard let range = words.firstRange(of: "\"\(name)\"") else { return nil }
    var rest = words[range.upperBound...].drop { $0 == " " }
    guard rest.popFirst() == ":" else { return nil }
    rest = rest.drop { $0 == " " }
    if rest.first == "\"" {
      let word = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
      return rest.dropFirst(1 + word.count).first == "\"" ? String(word) : nil
    }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    return digits.isEmpty ? nil : String(digits)
  }
}
