internal import class Foundation.Thread
internal import Synchronization

/// One endless answer: the thread that reads it, and what it reads into.
final class StreamTransfer: Sendable {
  let pipe = StreamPipe()
  let request: HTTPClientRequest
  let settings: HTTPClientSettings
  let idle: Duration

  private static let running = Atomic<Int>(0)

  init(_ request: HTTPClientRequest, settings: HTTPClientSettings, idle: Duration) {
    self.request = request
    self.settings = settings
    self.idle = idle
  }

  /// Begins on a thread of its own.
  func start() throws(HTTPClientError) {
    guard Self.running.add(1, ordering: .relaxed).newValue <= HTTPClient.streamsMaximum else {
      Self.running.subtract(1, ordering: .relaxed)
      throw .failed("there are \(HTTPClient.streamsMaximum) endless answers already")
    }
    let thread = Thread { [self] in
      BrokenPipeSignal.blockOnThisThread()
      let end = perform()
      Self.running.subtract(1, ordering: .relaxed)
      pipe.finish(end)
    }
    thread.name = "http-stream"
    thread.start()
  }
}
