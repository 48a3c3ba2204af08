import EndpointRegistry

extension FuzzTarget {
  /// The id of an alert, which is a cursor too. It has one spelling.
  static let cursor = FuzzTarget("cursor", lengthMaximum: 64) { octets in
    let text = String(decoding: octets, as: UTF8.self)
    guard let id = AlertID(text) else { return }
    try require(id.text == text, "two spellings of one id are accepted")
    try require(id.number >= 0, "a number is negative")
  }
}
