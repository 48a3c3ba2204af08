internal import HTTPListener
internal import Synchronization

/// Holds each key to one rate, by one number a key: the moment at which all of it has come back (GCRA, the form of a token
/// bucket that needs no counter). Time is the caller's, and never goes back.
package final class RateLimiter<Key: Hashable & Sendable>: Sendable {
  /// Keys of one generation, of which there are two. Few services have as many that ask within a minute; with
  /// their keys both take about four megabytes, and begin with nothing.
  package static var keysMaximum: Int { 16_384 }

  private struct State {
    /// Moments, in nanoseconds, by key: of those that asked since `since`…
    var recent: [Key: Int64] = [:]
    /// …and in the generation before, unless they are in `recent` too.
    var earlier: [Key: Int64] = [:]
    var since: Int64?
  }

  /// Nanoseconds in which one comes back, and all of them.
  private let interval: Int64
  private let span: Int64
  private let state = Mutex(State())

  package init(_ rate: Rate) {
    interval = Int64(rate.seconds) * 1_000_000_000 / Int64(rate.count)
    // Not the rate's own seconds: what the division left would be one too few.
    span = interval * Int64(rate.count)
  }

  /// Takes one for a key, at a time of a steady clock in milliseconds; nil where that may be, otherwise the whole seconds
  /// after which it will. What is refused takes nothing.
  package func take(_ key: Key, at milliseconds: Int64) -> Int? {
    let now = milliseconds * 1_000_000
    return state.withLock { state in
      Self.turn(&state, span, now, for: key)
      let whole = max(state.recent[key] ?? state.earlier[key] ?? now, now)
      let wait = whole + interval - span - now
      guard wait <= 0 else { return Int((wait + 999_999_999) / 1_000_000_000) }
      state.recent[key] = whole + interval
      return nil
    }
  }

  /// Gives one back to a key that has just taken it.
  package func giveBack(_ key: Key) {
    state.withLock { state in
      if let whole = state.recent[key] {
        state.recent[key] = whole - interval
      } else if let whole = state.earlier[key] {
        state.earlier[key] = whole - interval
      }
    }
  }

  /// How many keys are remembered.
  package var remembered: Int { state.withLock { $0.recent.count + $0.earlier.count } }

  /// Begins a generation where one has lasted for as long as any key needs to have all back, and where there is no room
  /// for a new key. Who has not asked for a generation is forgotten: in the first case nothing is lost by it, in the
  /// second the keys that asked longest ago may begin anew. So nobody can fill it up for others.
  private static func turn(_ state: inout State, _ span: Int64, _ now: Int64, for key: Key) {
    let since = state.since ?? now
    let isFull = state.recent.count >= keysMaximum && state.recent[key] == nil
    if now - since >= span || isFull {
      state.earlier = state.recent
      state.recent = [:]
      state.since = now
    } else {
      state.since = since
    }
  }
}
