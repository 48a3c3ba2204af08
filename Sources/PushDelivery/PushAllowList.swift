/// What the operator lets push reach although the default policy would not: `WAKE_PUSH_ALLOW`.
///
/// A comma-separated list of
/// - origins, `https://ntfy.lan` or `http://127.0.0.1:8080`: exactly that scheme, host and port, which may be
///   plain http, a low port, `localhost`, a single label or a private address;
/// - blocks of addresses, `192.168.1.0/24` or `fd12:3456::/48`: whatever lands in one may be reached in the
///   same ways, at the operator's risk, as any registrant can then name a host of it.
package struct PushAllowList: Sendable, Equatable {
  /// The name of the setting.
  package static let variable = "WAKE_PUSH_ALLOW"

  /// The origins, as `Destination.origin` writes them.
  package let origins: Set<String>
  /// The blocks of addresses.
  package let blocks: [AddressBlock]

  /// A list that allows nothing beyond the default policy.
  package init() {
    origins = []
    blocks = []
  }

  /// Reads the setting; nothing but white space is an empty list.
  package init(parsing text: String) throws(PushAllowListError) {
    var origins: Set<String> = []
    var blocks: [AddressBlock] = []
    let entries = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
    if entries != [""] {
      for (index, entry) in entries.enumerated() {
        do throws(Problem) {
          guard !entry.isEmpty else { throw Problem("it is empty: take the comma out") }
          if entry.contains("://") {
            origins.insert(try Self.origin(entry))
          } else {
            blocks.append(try Self.block(entry))
          }
        } catch {
          throw PushAllowListError(position: index + 1, problem: error.text)
        }
      }
    }
    self.origins = origins
    self.blocks = blocks
  }

  /// Whether `address` is in one of the blocks.
  package func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

  /// What the operator is told at the start of what the list opens; nil where there is nothing to tell.
  package var warning: String? {
    guard !blocks.isEmpty else { return nil }
    let named = blocks.map(\.description).joined(separator: ", ")
    return """
      \(Self.variable) opens blocks of addresses (\(named)): whoever registers a phone can make this service post to any \
      host and port there; name single origins where that will do
      """
  }

  private struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private static func origin(_ entry: String) throws(Problem) -> String {
    let destination: Destination
    do {
      destination = try DestinationParser.parse(entry)
    } catch {
      throw Problem("it is not an origin like https://ntfy.example:8443. \(error.detail)")
    }
    guard destination.target == "/" else {
      throw Problem("an origin has no path or query: write \(destination.origin)")
    }
    return destination.origin
  }

  private static func block(_ entry: String) throws(Problem) -> AddressBlock {
    let parts = entry.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let address = IPAddress(parsing: first) else {
      throw Problem(
        "it is neither an origin (with http:// or https:// in front) nor a block of addresses like 192.168.1.0/24"
      )
    }
    guard parts.count == 2, (1...3).contains(parts[1].utf8.count),
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]),
      let block = AddressBlock(containing: address, prefixLength: length)
    else {
      throw Problem(
        "a block is an address, a slash and a prefix length: write \(address)/\(address.bitWidth) for this one alone"
      )
    }
    guard block.first == address else {
      throw Problem("bits beyond the prefix are set: write \(block)")
    }
    return block
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0.isNewline }
    var text = text.drop(while: isSpace)
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
