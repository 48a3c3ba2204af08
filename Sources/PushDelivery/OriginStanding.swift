/// What is known of an origin by the last attempt there that ended.
enum OriginStanding: Int, CaseIterable {
  /// It answered soon, whatever it said.
  case answering
  /// It was not tried yet, is forgotten, failed at once, which costs nobody a place, or answers so late that it may not
  /// have as many places as it likes.
  case unknown
  /// It kept a place for long and said nothing.
  case silent

  /// An attempt that ends without an answer after this time, or later, makes an origin silent. A refused connection
  /// or certificate takes a round trip or two, which is less on any way around the world.
  static let silenceMilliseconds: Int64 = 1_000

  /// An answer after this time, or later, is late: a dozen such origins with all their places would be all that there are.
  static let lateMilliseconds: Int64 = 2_000

  /// The standing after an attempt that took so long, and was answered or not.
  init(answered: Bool, milliseconds: Int64) {
    if answered {
      self = milliseconds < Self.lateMilliseconds ? .answering : .unknown
    } else {
      self = milliseconds < Self.silenceMilliseconds ? .unknown : .silent
    }
  }
}
