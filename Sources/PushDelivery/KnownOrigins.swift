internal import Synchronization
internal import WebPushCrypto

/// Origins whose text was taken apart and judged: the next endpoint there differs behind the authority alone, where
/// nothing is judged but the characters. For one policy, which never changes.
final class KnownOrigins: Sendable {
  /// Origins that are remembered: 20 times as many as there are connections. Beyond, all are forgotten at once.
  static let maximum = 4_096

  private let origins = Mutex<[String: Destination]>([:])

  /// The parts of an endpoint whose origin is known and stands in its text as it is; nil where all has to be looked at.
  func destination(of endpoint: Endpoint) -> Destination? {
    let (url, origin) = (endpoint.url.utf8, endpoint.origin.utf8)
    guard url.count <= AddressPolicy.endpointLengthMaximum, url.starts(with: origin) else { return nil }
    let rest = url.dropFirst(origin.count)
    // The authority ends at the first slash, whatever follows (RFC 3986 §3.2).
    guard rest.first == UInt8(ascii: "/"), rest.allSatisfy(DestinationParser.isTargetOctet) else {
      return nil
    }
    return kept(at: endpoint.origin)?.with(target: String(Substring(rest)))
  }

  /// What is remembered of an origin, which is no path.
  func kept(at origin: String) -> Destination? { origins.withLock { $0[origin] } }

  /// Remembers where an endpoint leads, which the policy permits by its text.
  func keep(_ destination: Destination) {
    origins.withLock { origins in
      if origins.count >= Self.maximum { origins = [:] }
      origins[destination.origin] = destination.with(target: "/")
    }
  }
}
