/// Takes the text of an endpoint apart: what is not plain in one reading is refused.
///
/// libcurl is the one parser, as it is what connects in the end; it is lenient, so its reading is accepted
/// only where a strict look at the octets leaves no other.
enum DestinationParser {
  /// A label of a host name (RFC 1035 §2.3.4).
  static let labelLengthMaximum = 63
  /// A whole name: 255 octets on the wire (RFC 1035 §2.3.4) without the root's and the first length octet.
  static let nameLengthMaximum = 253

  /// The parts of `url`, or the first thing that is wrong with it.
  static func parse(_ url: String) throws(EndpointRefusal) -> Destination {
    let octets = Array(url.utf8)
    guard !octets.isEmpty else { throw .empty }
    guard octets.count <= AddressPolicy.endpointLengthMaximum else { throw .tooLong }
    guard octets.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
    guard octets.allSatisfy({ isTargetOctet($0) || $0 == UInt8(ascii: "#") }) else { throw .unprintable }
    guard !octets.contains(UInt8(ascii: "#")) else { throw .fragment }

    let (scheme, start) = try scheme(of: octets)
    let end =
      octets[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? octets.count
    let authority = octets[start..<end]
    guard !authority.isEmpty else { throw .scheme }
    guard !authority.contains(UInt8(ascii: "@")) else { throw .userinfo }
    let (hostOctets, portOctets) = try split(authority)
    let port = try portOctets.map { digits throws(EndpointRefusal) in try self.port(digits) }
    let host = try host(hostOctets)
    let rest = String(decoding: octets[end...], as: UTF8.self)
    // RFC 9112 §3.2.1: an empty path is sent as "/".
    let target = rest.hasPrefix("/") ? rest : "/" + rest
    let destination = Destination(
      scheme: scheme, host: host, port: port ?? scheme.defaultPort, target: target)

    guard let reading = CurlURLReading(url), reading.agrees(with: destination) else { throw .ambiguous }
    return destination
  }

  /// Whether an octet may stand in an endpoint, behind the authority too.
  static func isTargetOctet(_ octet: UInt8) -> Bool {
    // A backslash is a slash to browsers and a character to others (WHATWG URL §4.4).
    (0x21...0x7e).contains(octet) && octet != UInt8(ascii: "\\") && octet != UInt8(ascii: "#")
  }

  private static func scheme(
    of octets: [UInt8]
  ) throws(EndpointRefusal) -> (scheme: Destination.Scheme, length: Int) {
    for scheme in [Destination.Scheme.https, .http] {
      let prefix = Array("\(scheme.rawValue)://".utf8)
      // Schemes are letters here: 0x20 is all that the case is (RFC 3986 §3.1).
      guard octets.count >= prefix.count,
        zip(octets, prefix).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 && (0x41...0x5a).contains($0) })
      else { continue }
      return (scheme, prefix.count)
    }
    throw .scheme
  }

  private static func split(
    _ authority: ArraySlice<UInt8>
  ) throws(EndpointRefusal) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
    let colon = UInt8(ascii: ":")
    if authority.first == UInt8(ascii: "[") {
      guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
      let after = authority[(close + 1)...]
      guard let first = after.first else { return (authority, nil) }
      guard first == colon else { throw .host }
      return (authority[...close], after.dropFirst())
    }
    guard let first = authority.firstIndex(of: colon) else { return (authority, nil) }
    // An IPv6 address without brackets, or two ports.
    guard !authority[(first + 1)...].contains(colon) else { throw .host }
    return (authority[..<first], authority[(first + 1)...])
  }

  private static func port(_ digits: ArraySlice<UInt8>) throws(EndpointRefusal) -> Int {
    guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .malformedPort }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard number <= 65_535 else { throw .malformedPort }
    return number
  }

  private static func host(_ octets: ArraySlice<UInt8>) throws(EndpointRefusal) -> Destination.Host {
    let text = String(decoding: octets, as: UTF8.self).lowercased()
    if text.hasPrefix("[") {
      // A zone is "%25lo", which no address has.
      guard let address = IPAddress(parsing: String(text.dropFirst().dropLast())), address.isIPv6 else {
        throw .host
      }
      return .address(address)
    }
    if let address = IPAddress(parsing: text) { return .address(address) }
    return .name(try name(text))
  }

  private static func name(_ text: String) throws(EndpointRefusal) -> String {
    let name = text.hasSuffix(".") ? String(text.dropLast()) : text
    guard !name.isEmpty, name.utf8.count <= nameLengthMaximum else { throw .host }
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for label in labels {
      guard (1...labelLengthMaximum).contains(label.count), label.first != UInt8(ascii: "-"),
        label.last != UInt8(ascii: "-"), label.allSatisfy(isNameOctet)
      else { throw .host }
    }
    // A host whose last label is a number is an IPv4 address to one program or another (WHATWG URL §3.5).
    if let last = labels.last, isNumber(Array(last)) { throw .unusualAddress }
    return name
  }

  private static func isNameOctet(_ octet: UInt8) -> Bool {
    (0x61...0x7a).contains(octet) || (0x30...0x39).contains(octet) || octet == UInt8(ascii: "-")
  }

  private static func isNumber(_ label: [UInt8]) -> Bool {
    if label.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    return label.starts(with: "0x".utf8)
      && label.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
