/// A host that a certificate is for: a `dNSName` or an `iPAddress` of its subjectAltName (RFC 5280 §4.2.1.6).
package enum CertificateHost: Sendable, Hashable {
  /// A name as it stands in the certificate.
  case name(String)
  /// 4 or 16 octets in network order.
  case address([UInt8])

  /// A name of labels of letters, digits, `-` and `_`, in lower case; nil for anything else (RFC 1123 §2.1; `_` occurs in
  /// local names).
  package static func checked(name: String) -> CertificateHost? {
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      (1...63).contains(label.count) && label.allSatisfy(isLabelOctet)
        && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
    }
    // 253 characters are the 255 octets of RFC 1035 §2.3.4 without the first length and the root.
    guard isName, name.utf8.count <= 253 else { return nil }
    return .name(name.lowercased())
  }

  private static func isLabelOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The host as OpenSSL's text form of a subjectAltName names it (`x509v3_config(5)`); nil for what that form cannot
  /// hold safely, such as a name with a comma.
  var configurationText: String? {
    switch self {
    case .name(let name): Self.checked(name: name).map { _ in "DNS:\(name)" }
    case .address(let octets) where octets.count == 4:
      "IP:" + octets.map(String.init).joined(separator: ".")
    case .address(let octets) where octets.count == 16:
      "IP:"
        + stride(from: 0, to: 16, by: 2)
        .map { String(UInt16(octets[$0]) << 8 | UInt16(octets[$0 + 1]), radix: 16) }.joined(separator: ":")
    case .address: nil
    }
  }
}
