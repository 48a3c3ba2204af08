/// The pauses that push servers asked for since this process began: the last word before a wake is sent. Pure rules.
///
/// Those from before are in the store, and kept by whoever reads it; here is what a wake that was on its way already
/// has to learn.
struct PushHolds {
  /// So many refusals of one origin…
  static let refusalsOfOrigin = 3
  /// …within this time hold the whole origin.
  static let refusalsMilliseconds: Int64 = 60_000
  /// Refusals of one origin that are remembered: more than there may be attempts at it at the same time.
  static let refusalsMaximum = 64
  /// Refusals of an endpoint in a row that are counted: the pause has long stopped growing.
  static let refusalsCounted = 1_000
  /// Endpoints, and origins, that are remembered. Whoever is forgotten is held by the store alone.
  static let entriesMaximum = 65_536

  private struct Refusal {
    let at: Int64
    let until: Int64
  }

  private var endpoints: [[UInt8]: Int64] = [:]
  private var origins: [String: Int64] = [:]
  private var refusals: [String: [Refusal]] = [:]

  /// When what holds a wake to that endpoint ends; nil where nothing does.
  func end(of endpointDigest: [UInt8], at origin: String, now: Int64) -> Int64? {
    guard !endpoints.isEmpty || !origins.isEmpty else { return nil }
    return [endpoints[endpointDigest], origins[origin]].compactMap { $0 }
      .filter { PushHold.isInEffect(until: $0, at: now) }.max()
  }

  /// A push server refused a wake for now: until when nothing goes there.
  ///
  /// `status` is its answer's; only 429 (RFC 6585 §4) speaks for the origin. `refusalsBefore` and `jitter` as in
  /// ``PushHold/pause(namedSeconds:refusalsBefore:jitter:)``.
  mutating func throttled(
    _ endpointDigest: [UInt8], at origin: String, status: Int?, namedSeconds: Int?, refusalsBefore: Int,
    jitter: Double, now: Int64
  ) -> PushHold {
    let pause = PushHold.pause(namedSeconds: namedSeconds, refusalsBefore: refusalsBefore, jitter: jitter)
    let until = now.addingReportingOverflow(pause).partialValue
    var hold = PushHold(
      until: until, refusals: min(refusalsBefore, Self.refusalsCounted) + ((namedSeconds ?? 0) > 0 ? 0 : 1))
    makeRoom(now)
    endpoints[endpointDigest] = max(until, standing(endpoints[endpointDigest], now))
    if status == 429 {
      var lately = (refusals[origin] ?? []).filter { Self.isRecent($0, now) }
      lately.append(Refusal(at: now, until: until))
      refusals[origin] = lately.suffix(Self.refusalsMaximum)
      if lately.count >= Self.refusalsOfOrigin {
        let longest = lately.map(\.until).max() ?? until
        origins[origin] = max(longest, standing(origins[origin], now))
        hold.originUntil = origins[origin]
      }
    }
    return hold
  }

  /// Whether a refusal is of the last minute.
  private static func isRecent(_ refusal: Refusal, _ now: Int64) -> Bool {
    let (age, overflow) = now.subtractingReportingOverflow(refusal.at)
    return !overflow && (0..<refusalsMilliseconds).contains(age)
  }

  /// The end of a hold that is in effect; one that is not counts for nothing.
  private func standing(_ until: Int64?, _ now: Int64) -> Int64 {
    guard let until, PushHold.isInEffect(until: until, at: now) else { return .min }
    return until
  }

  private mutating func makeRoom(_ now: Int64) {
    if endpoints.count >= Self.entriesMaximum {
      endpoints = endpoints.filter { PushHold.isInEffect(until: $0.value, at: now) }
      if endpoints.count >= Self.entriesMaximum { endpoints.removeAll(keepingCapacity: true) }
    }
    if origins.count >= Self.entriesMaximum {
      origins = origins.filter { PushHold.isInEffect(until: $0.value, at: now) }
      if origins.count >= Self.entriesMaximum { origins.removeAll(keepingCapacity: true) }
    }
    if refusals.count >= Self.entriesMaximum {
      refusals = refusals.filter { $0.value.contains { Self.isRecent($0, now) } }
      if refusals.count >= Self.entriesMaximum { refusals.removeAll(keepingCapacity: true) }
    }
  }
}
