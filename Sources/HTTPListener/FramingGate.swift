/// Decides from a request's head alone whether the request may be read further.
///
/// It stands in front of the router because the library below is lenient: where two readers of one message could
/// disagree about where it ends, the message is refused (RFC 9112 §6.3, §11.2).
package struct FramingGate: Sendable {
  /// Octets of content that may be announced.
  package let bodyOctets: Int
  /// Fields that a head may have.
  package let fields: Int

  /// A gate for these limits.
  package init(limits: HTTPLimits = HTTPLimits()) {
    bodyOctets = limits.bodyOctets
    fields = limits.fields
  }

  /// Why the request is refused, or nil. Values come as they stood on the line, with the white space after them.
  package func check(
    method: String, version: String, target: String, headers: [(name: String, value: String)]
  ) -> GateRefusal? {
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { return .unsupportedVersion }
    guard HTTPText.isToken(method) else { return .badRequest("the method is not a token") }
    if let refusal = checkTarget(target) { return refusal }
    guard headers.count <= fields else { return .headTooLarge }
    for field in headers {
      guard HTTPText.isToken(field.name) else { return .badFraming("a field name is not a token") }
      guard HTTPText.isFieldValue(field.value) else {
        return .badFraming("a field value contains control characters")
      }
    }
    let isCurrent = version == "HTTP/1.1"
    return checkHost(values("host", of: headers), isCurrent: isCurrent)
      ?? checkLength(
        lengths: values("content-length", of: headers), codings: values("transfer-encoding", of: headers),
        isCurrent: isCurrent)
      ?? checkExpectations(values("expect", of: headers), isCurrent: isCurrent)
  }

  private func values(_ name: String, of headers: [(name: String, value: String)]) -> [String] {
    headers.lazy.filter { HTTPText.isEqualIgnoringCase($0.name, name) }.map(\.value)
  }

  /// Origin form alone (RFC 9112 §3.2.1): the service is no proxy, and needs neither `*` nor an authority.
  private func checkTarget(_ target: String) -> GateRefusal? {
    guard target.utf8.first == UInt8(ascii: "/") else {
      return .badRequest("the request target is not a path")
    }
    guard target.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
      return .badRequest("the request target contains characters that must be percent-encoded")
    }
    return nil
  }

  /// Exactly one Host in HTTP/1.1, at most one in HTTP/1.0 (RFC 9112 §3.2).
  private func checkHost(_ hosts: [String], isCurrent: Bool) -> GateRefusal? {
    guard hosts.count <= 1 else { return .badFraming("there are several Host fields") }
    guard let host = hosts.first else {
      return isCurrent ? .badFraming("the Host field is missing") : nil
    }
    return HostField.isValid(HTTPText.trimmed(host)) ? nil : .badFraming("the Host field is not host[:port]")
  }

  /// At most one of one Content-Length and one `Transfer-Encoding: chunked` (RFC 9112 §6.1, §6.2).
  private func checkLength(lengths: [String], codings: [String], isCurrent: Bool) -> GateRefusal? {
    guard codings.isEmpty || lengths.isEmpty else {
      return .badFraming("Content-Length and Transfer-Encoding exclude each other")
    }
    guard codings.count <= 1 else { return .badFraming("there are several Transfer-Encoding fields") }
    if let coding = codings.first {
      guard isCurrent else { return .badFraming("Transfer-Encoding is not part of HTTP/1.0") }
      // Not trimmed: the library takes `chunked` followed by a space for another coding.
      guard HTTPText.isEqualIgnoringCase(coding, "chunked") else { return .unsupportedTransferCoding }
    }
    guard lengths.count <= 1 else { return .badFraming("there are several Content-Length fields") }
    guard let length = lengths.first else { return nil }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return .badFraming("Content-Length is not a number")
    }
    guard let octets = Int(length), octets <= bodyOctets else { return .bodyTooLarge }
    return nil
  }

  /// `100-continue` or nothing (RFC 9110 §10.1.1); HTTP/1.0 knows no expectations.
  private func checkExpectations(_ expectations: [String], isCurrent: Bool) -> GateRefusal? {
    guard isCurrent else { return nil }
    let isMet = expectations.allSatisfy {
      HTTPText.isEqualIgnoringCase(HTTPText.trimmed($0), "100-continue")
    }
    return isMet ? nil : .unmetExpectation
  }
}
