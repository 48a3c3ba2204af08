internal import Synchronization

/// What every request of one client has in common.
struct HTTPClientSettings: Sendable {
  let unixSocket: String?
  let caFile: String?
  let pin: PinnedCertificate?
  let timeoutMilliseconds: Int
}

/// The easy handles of one client, each with the connections that it keeps.
final class HTTPClientHandles: Sendable {
  /// A handle that one thread at a time may hold.
  private final class Slot: Sendable {
    let easy: Mutex<CurlEasy>
    /// The handle's connections may ask it as long as they are open.
    private let pin: PinnedCertificate?

    init(_ easy: consuming sending CurlEasy, _ pin: PinnedCertificate?) {
      self.easy = Mutex(easy)
      self.pin = pin
    }
  }

  let settings: HTTPClientSettings
  private let idle = Mutex<[Slot]>([])

  init(settings: HTTPClientSettings) { self.settings = settings }

  /// Runs one request to its end on the calling thread.
  func perform(_ request: HTTPClientRequest) -> Result<HTTPExchange, HTTPClientError> {
    do {
      let slot = try idle.withLock { $0.popLast() } ?? Slot(CurlEasy(), settings.pin)
      // As many as there are threads, at most: each thread holds one.
      defer { idle.withLock { $0.append(slot) } }
      return slot.easy.withLock { $0.exchange(request, settings: settings) }
    } catch {
      return .failure(.failed("\(error)"))
    }
  }
}
