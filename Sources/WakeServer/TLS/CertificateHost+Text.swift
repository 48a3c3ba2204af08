package import CryptoPrimitives
internal import PushDelivery

extension CertificateHost {
  /// Programs of the machine itself reach the service by these, whatever else it is called.
  package static let local: [CertificateHost] = [
    .name("localhost"), .address([127, 0, 0, 1]), .address([UInt8](repeating: 0, count: 15) + [1]),
  ]

  /// A name, or an address as people write it, in brackets or not; nil for anything else.
  package init?(parsing text: String) {
    let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
    let bare = isBracketed ? String(text.dropFirst().dropLast()) : text
    if let address = IPAddress(parsing: bare) {
      self = .address(address.octets)
      return
    }
    // What is nearly an address is no name: the last label of one is not a number (RFC 1123 §2.1).
    guard !isBracketed, let host = Self.checked(name: bare),
      bare.split(separator: ".").last?.allSatisfy(\.isNumber) == false
    else { return nil }
    self = host
  }

  /// The host of a URL; nil where it is none that a certificate can be for.
  package init?(ofURL url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { $0 != "/" }
    let end = authority.hasPrefix("[") ? authority.lastIndex(of: "]").map { authority.index(after: $0) } : nil
    self.init(parsing: String(end.map { authority[..<$0] } ?? authority.prefix { $0 != ":" }))
  }

  /// The host as people read it.
  package var text: String {
    switch self {
    case .name(let name): name
    case .address(let octets): IPAddress(octets: octets)?.description ?? ""
    }
  }
}
