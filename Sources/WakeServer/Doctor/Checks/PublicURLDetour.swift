internal import HTTPClient
internal import PushDelivery

/// What keeps a request to the public URL from the service although something answers there: a login, or another address.
enum PublicURLDetour: Equatable {
  /// A login is asked for, at that status.
  case login(Int)
  /// The same request belongs to this URL.
  case moved(String)

  /// What an answer to `/healthz` says of that; nil where it says nothing of either.
  init?(of exchange: HTTPExchange) {
    switch exchange.status {
    case 401, 403, 407: self = .login(exchange.status)
    case 301, 302, 303, 307, 308:
      guard let location = exchange.header("Location") else { return nil }
      self = Self.base(of: location).map(Self.moved) ?? .login(exchange.status)
    default: return nil
    }
  }

  /// A finding about `url`, with the line to set where the address is another.
  func finding(_ url: String) -> DoctorFinding {
    switch self {
    case .login(let status):
      .fault(
        .publicURL, "\(url) answers with status \(status)",
        cause:
          "the proxy in front asks for a login, and phones have none there: they show the service's tokens",
        fix: "exempt this host from the proxy's login; no path of the service needs one of the proxy")
    case .moved(let target):
      .fault(
        .publicURL, "\(url) answers with another address: \(target)",
        cause: "phones do not follow it, so that no token goes where nobody said",
        fix:
          "set WAKE_PUBLIC_URL=\(target), start `wake serve` again, and pair phones anew that have the old address"
      )
    }
  }

  /// The URL that the service would have, where only that changes; nil where the address is a page of its own.
  private static func base(of location: String) -> String? {
    let path = "/healthz"
    let target = location.prefix { $0 != "?" && $0 != "#" }
    guard target.hasSuffix(path) else { return nil }
    let base = String(target.dropLast(path.count))
    return (try? ConnectionProbe.destination(of: base + path)) == nil ? nil : base
  }
}
