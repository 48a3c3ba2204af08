/// What came of a connection that carries nothing.
package struct ConnectionReport: Sendable, Equatable {
  /// Why it was not made, TLS included; nil where it was.
  package var fault: ConnectionFault?
  /// From the start to the connection, or to its failure.
  package var connectMilliseconds = 0
  /// From there to the end of the TLS handshake, or to its failure; nil for plain http.
  package var tlsMilliseconds: Int?
  /// The peer's own certificate in PEM form; nil where there is none or it was refused.
  package var certificatePEM: [UInt8]?

  package init() {}
}
