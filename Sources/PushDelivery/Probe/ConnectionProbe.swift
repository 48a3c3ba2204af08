internal import HTTPClient

/// Takes the way to a host apart, step by step: its name, the connection, TLS. No octet of a request is sent.
///
/// It is no way around the address policy: whoever asks hands in what is permitted, and that is asked before a socket
/// is opened, whatever libcurl has found.
package struct ConnectionProbe: Sendable {
  /// Whose certificates are taken.
  package enum Trust: Sendable, Equatable {
    /// The system's authorities, and those of a file (PEM).
    case authorities(caFile: String?)
    /// Any certificate: its fingerprint is compared afterwards, and nothing is sent before.
    case anyCertificate
  }

  /// Names and connections that are tried at the same time, in the whole process; others wait, and their time runs.
  static let threadsMaximum = 16
  private static let threads = WorkerThreads(name: "probe", threads: threadsMaximum)

  private let resolver: NameResolver
  private let timeoutMilliseconds: Int

  /// A probe that gives a name, and then a connection with its TLS, so much time each: that of a wake's connection
  /// unless told otherwise.
  package init(
    resolver: @escaping NameResolver = SystemResolver.resolve, timeoutMilliseconds: Int = 5_000
  ) {
    self.resolver = resolver
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  /// Where a URL leads; it is judged by its form alone.
  package static func destination(of url: String) throws(EndpointRefusal) -> Destination {
    try DestinationParser.parse(url)
  }

  /// The addresses of the host; a literal one is its own.
  package func addresses(of destination: Destination) async -> Result<[IPAddress], NameResolutionError> {
    guard case .name(let name) = destination.host else {
      guard case .address(let address) = destination.host else { return .success([]) }
      return .success([address])
    }
    let (resolver, limit) = (resolver, timeoutMilliseconds)
    return await withCheckedContinuation { continuation in
      let answer = FirstAnswer(continuation)
      Self.threads.run {
        do throws(NameResolutionError) {
          let addresses = try resolver(name)
          answer.give(addresses.isEmpty ? .failure(.noSuchName) : .success(addresses))
        } catch {
          answer.give(.failure(error))
        }
      }
      Task {
        try? await Task.sleep(for: .milliseconds(limit))
        answer.give(.failure(.timedOut))
      }
    }
  }

  /// Connects to one of `addresses`, speaks TLS where the destination does, and ends the connection.
  ///
  /// `refusal` judges each address before a socket is opened for it.
  package func connect(
    to destination: Destination, at addresses: [IPAddress], trusting trust: Trust,
    refusal: @escaping @Sendable (IPAddress) -> AddressRefusal?
  ) async -> ConnectionReport {
    let limit = timeoutMilliseconds
    return await withCheckedContinuation { continuation in
      Self.threads.run {
        let connection = ProbeConnection(refusal: refusal)
        continuation.resume(
          returning: connection.run(destination, addresses, trust, timeoutMilliseconds: limit))
      }
    }
  }
}
