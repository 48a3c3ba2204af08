/// The contact that a VAPID token may name (`sub`, RFC 8292 §2.1).
enum Contact {
  /// Ends of host names that no push server can write to; Apple's refuses tokens that name them.
  private static let unreachable = [".local", ".localhost", ".invalid"]

  /// Octets of a contact: what a token may carry and no more than any mailbox needs (RFC 5321 §4.5.3.1.3).
  private static let octetsMaximum = 320

  /// The contact as it goes into tokens, white space at the ends removed.
  static func check(_ text: String) throws(ConfigurationError) -> String {
    let contact = String(text.trimmed)
    guard contact.utf8.count <= octetsMaximum else {
      throw ConfigurationError(.contact, "must have \(octetsMaximum) octets at most")
    }
    guard contact.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
      !contact.contains(where: { "<>\"".contains($0) })
    else { throw ConfigurationError(.contact, "must be one URI without spaces or angle brackets") }
    let host: Substring
    if contact.hasPrefix("mailto:") {
      let parts = contact.dropFirst("mailto:".count).split(separator: "@", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ConfigurationError(.contact, "must name one mailbox: mailto:NAME@HOST")
      }
      host = parts[1]
    } else if contact.hasPrefix("https://") {
      host = contact.dropFirst("https://".count).prefix { !"/:?#".contains($0) }
    } else {
      throw ConfigurationError(.contact, "must begin with mailto: or https://")
    }
    let name = host.lowercased()
    guard name.contains("."), !name.hasPrefix("."), !name.hasSuffix("."),
      !unreachable.contains(where: name.hasSuffix)
    else {
      throw ConfigurationError(.contact, "must name a host that a push server can reach, not a local one")
    }
    return contact
  }
}
