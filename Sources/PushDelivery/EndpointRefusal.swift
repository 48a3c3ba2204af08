/// Why the text of an endpoint is not accepted.
///
/// No case carries any part of the endpoint: it is a capability URL, and what is said of it is shown and logged.
package enum EndpointRefusal: Error, Equatable, Sendable {
  case empty
  /// Over `AddressPolicy.endpointLengthMaximum` octets.
  case tooLong
  /// An octet over 0x7F.
  case notASCII
  /// White space, a control character or a backslash.
  case unprintable
  /// Neither `https://` nor `http://`, with exactly two slashes.
  case scheme
  /// `http://`, which only an origin that the operator names may have.
  case plainHTTP
  case userinfo
  case fragment
  /// A host that is neither a name of letters, digits and hyphens nor an address in its usual form.
  case host
  /// An IPv4 address in a form that programs read differently: hexadecimal, octal, short, one number.
  case unusualAddress
  /// A port that is not a number from 1 to 65535.
  case malformedPort
  /// A port under 1024 other than 443.
  case lowPort
  /// `localhost`, a single label, or a name of a local domain.
  case localName
  /// A literal address that is not a public one: what the registries call it.
  case address(kind: String)
  /// libcurl reads another host, port or path than stands there.
  case ambiguous

  /// What the matter is and what to do, without any part of the endpoint.
  package var detail: String {
    switch self {
    case .empty: "The endpoint is empty: give the URL that the distributor handed over."
    case .tooLong:
      "The endpoint is longer than \(AddressPolicy.endpointLengthMaximum) octets, the most that UnifiedPush allows."
    case .notASCII:
      "The endpoint has a character outside ASCII: write an internationalised host name as its A-label (xn--…) and percent-encode the rest."
    case .unprintable:
      "The endpoint has white space, a control character or a backslash: percent-encode it."
    case .scheme: "The endpoint must begin with https:// and a host."
    case .plainHTTP:
      "The endpoint must begin with https://. For a push server over plain http the operator names its origin in \(PushAllowList.variable)."
    case .userinfo:
      "The endpoint has a user name or password before the host, which push never sends: leave them out."
    case .fragment: "The endpoint has a fragment (#…), which is never sent: leave it out."
    case .host:
      "The endpoint's host is not a name of letters, digits and hyphens (at most 63 in a label, 253 in all) nor an address: correct it."
    case .unusualAddress:
      "The endpoint's host is a number that programs read in different ways: write an IPv4 address as four decimal numbers."
    case .malformedPort:
      "The endpoint's port is not a number from 1 to 65535 without sign or leading zero: correct it."
    case .lowPort:
      "The endpoint's port is neither 443 nor 1024 or above. For a push server on such a port the operator names its origin in \(PushAllowList.variable)."
    case .localName:
      "The endpoint's host is a name of the local machine or network. For a push server of one's own the operator names its origin in \(PushAllowList.variable)."
    case .address(let kind):
      "The endpoint's host is not a public address (\(kind)). For a push server of one's own the operator names its origin, or the block of addresses, in \(PushAllowList.variable)."
    case .ambiguous: "The endpoint can be read in more than one way: write it in its usual form."
    }
  }
}
