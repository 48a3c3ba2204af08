/// The times that wakes go by.
package struct WakeTiming: Sendable, Equatable {
  /// How long a push server may keep a wake (`TTL`, RFC 8030 §5.2).
  package var ttlSeconds: Int
  /// In so many seconds a device gets one wake at most, where its stack does not say otherwise; 0 merges nothing.
  package var windowSeconds: Int

  package init(ttlSeconds: Int, windowSeconds: Int) {
    self.ttlSeconds = ttlSeconds
    self.windowSeconds = windowSeconds
  }
}
