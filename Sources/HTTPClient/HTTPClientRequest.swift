/// A request that can be put on the wire: checked once, so that no value smuggles a second line.
struct HTTPClientRequest: Sendable {
  let method: String
  let url: String
  /// Lines for libcurl, `Name: value`.
  let headerLines: [String]
  let hasContentType: Bool
  let body: [UInt8]?

  init(
    method: String, url: String, headers: [(String, String)], body: [UInt8]?
  ) throws(HTTPClientError) {
    guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenOctet) else {
      throw .failed("the method is not an HTTP token")
    }
    guard !url.isEmpty, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .failed("the URL is empty or not printable ASCII")
    }
    var lines: [String] = []
    var hasContentType = false
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenOctet) else {
        throw .failed("the name of a header field is not an HTTP token")
      }
      // RFC 9110 §5.5: CR, LF and NUL are never part of a value.
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
        throw .failed("the value of \(name) has a control character")
      }
      // libcurl reads "Name:" as "remove this field" and "Name;" as "send it empty".
      let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
      lines.append(isBlank ? "\(name);" : "\(name): \(value)")
      if name.lowercased() == "content-type" { hasContentType = true }
    }
    self.method = method
    self.url = url
    self.headerLines = lines
    self.hasContentType = hasContentType
    self.body = body
  }

  /// `tchar` of RFC 9110 §5.6.2.
  private static func isTokenOctet(_ octet: UInt8) -> Bool {
    switch octet {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(octet)
    }
  }
}
