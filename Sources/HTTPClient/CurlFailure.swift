/// What libcurl reports when something went wrong: the one place that a `CURLcode` ends in.
///
/// The code decides, never a text; `explanation` is libcurl's own fixed sentence for the code, which
/// names no host, path or header.
package struct CurlFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the code means to a caller.
  package enum Kind: Sendable {
    case nameNotResolved
    case cannotConnect
    case timedOut
    /// The peer's certificate or name was not accepted.
    case certificate
    /// The file of authorities cannot be read.
    case authorities
    /// The handshake failed otherwise: no common version or cipher.
    case handshake
    /// The connection ended in the middle, or gave no answer.
    case closed
    /// What came is not HTTP.
    case malformedAnswer
    /// One of our own callbacks said no.
    case stoppedByCallback
    /// Out of memory, an unknown option, a wrong URL: our own fault.
    case misuse
    case other
  }

  /// What the code means to a caller.
  package let kind: Kind
  /// libcurl's number.
  package let code: Int
  /// libcurl's fixed sentence for the code.
  package let explanation: String

  /// A failure of `code`.
  package init(kind: Kind, code: Int, explanation: String) {
    self.kind = kind
    self.code = code
    self.explanation = explanation
  }

  /// libcurl's sentence and number.
  package var description: String { "\(explanation) (libcurl \(code))" }
}
