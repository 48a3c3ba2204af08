/// Names that were resolved a moment ago.
///
/// In a fan-out to one push server its name is asked for once, not ten thousand times. Addresses are judged for
/// each attempt anew.
struct AddressBook {
  /// How long an answer is used unless told otherwise: below the 60 s that dynamic names commonly live.
  static let usualLifetimeMilliseconds: Int64 = 30_000
  /// Names that are kept.
  static let entriesMaximum = 4_096

  private let lifetimeMilliseconds: Int64
  private var entries: [String: (addresses: [IPAddress], until: Int64)] = [:]

  init(lifetimeMilliseconds: Int64 = usualLifetimeMilliseconds) {
    self.lifetimeMilliseconds = lifetimeMilliseconds
  }

  /// The addresses of `name`, where they are fresh at `now` (milliseconds of any steady clock).
  func addresses(of name: String, at now: Int64) -> [IPAddress]? {
    guard let entry = entries[name], now < entry.until else { return nil }
    return entry.addresses
  }

  /// Keeps `addresses` as those of `name` from `now` on.
  mutating func keep(_ addresses: [IPAddress], of name: String, at now: Int64) {
    if entries.count >= Self.entriesMaximum {
      entries = entries.filter { now < $0.value.until }
      if entries.count >= Self.entriesMaximum { entries.removeAll(keepingCapacity: true) }
    }
    entries[name] = (addresses, now + lifetimeMilliseconds)
  }
}
