/// What an answer changes about the pauses that push servers asked for. Times are milliseconds since 1970.
package enum HoldChange: Sendable, Equatable, Redacted {
  /// A pause begins: of the endpoint until then, and of its whole origin where that is said. `refusals` are those in a
  /// row that named no pause, this one included.
  case began(endpointDigest: [UInt8], until: Int64, refusals: Int, originUntil: Int64?)
  /// A wake was taken: the next refusal is the first in a row. A pause that ends after `until`, the end of the one that
  /// was known when the wake was begun, is another one, and stays.
  case lifted(endpointDigest: [UInt8], until: Int64)
}
