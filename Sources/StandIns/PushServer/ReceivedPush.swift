internal import CryptoPrimitives
package import HTTPListener
package import WebPushCrypto

/// One request as a push server sees it, with what judges it.
package struct ReceivedPush: Sendable {
  /// The request itself. Its target is a secret.
  package let request: HTTPRequest
  /// The origin that it came to, by its Host field: lower case, no default port (RFC 6454 §6.2).
  package let origin: String
  /// Seconds since 1970.
  package let nowSeconds: Int64
  /// What its one `Authorization` field comes to; nil where there is none, or where nobody asked.
  package let authorization: Result<VAPIDClaims, WebPushCryptoError>?

  /// A request that came by `scheme` (`http`, `https`). Verifying its token costs as much as three signatures, so that
  /// it is left out where nothing is checked.
  package init(_ request: HTTPRequest, scheme: String, nowSeconds: Int64, verifies: Bool = true) {
    self.request = request
    self.nowSeconds = nowSeconds
    var host = (request.header("Host") ?? "").lowercased()
    let defaultPort = scheme == "https" ? ":443" : ":80"
    if host.hasSuffix(defaultPort) { host.removeLast(defaultPort.count) }
    origin = "\(scheme)://\(host)"
    authorization = request.header("Authorization").flatMap { value in
      guard verifies else { return nil }
      do throws(WebPushCryptoError) { return .success(try VAPIDToken.verify(authorization: value)) } catch {
        return .failure(error)
      }
    }
  }

  /// The token's claims, where its form and signature are in order.
  package var claims: VAPIDClaims? { try? authorization?.get() }
}

extension ReceivedPush {
  /// Digits of a digest that are shown: enough to tell endpoints apart, too few to tell one.
  private static let shownDigits = 12

  /// The beginning of SHA-256 over the endpoint's URL: what may be shown of an endpoint.
  package var shownDigest: String {
    String(Hex.encode(SHA256.digest(Array("\(origin)\(request.target)".utf8))).prefix(Self.shownDigits))
  }
}
