import PushDelivery

extension FuzzTarget {
  /// What the operator allows (the first line), an endpoint (the second), and the octets of an address (the rest).
  /// Nothing but what is allowed opens what is closed.
  static let address = FuzzTarget("address", lengthMaximum: 2_048) { octets in
    let lines = octets.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    let text = lines.map { String(decoding: $0, as: UTF8.self) }
    guard let list = try? PushAllowList(parsing: text[0]) else { return }
    _ = list.warning
    for block in list.blocks {
      try require(list.contains(block.first), "a block is without its first address")
      try require(
        (try? PushAllowList(parsing: block.description))?.blocks == [block], "a block reads as another")
    }
    for origin in list.origins {
      try require((try? PushAllowList(parsing: origin))?.origins == [origin], "an origin reads as another")
    }
    guard lines.count > 1 else { return }
    let candidates = [
      IPAddress(parsing: text[1]), lines.count > 2 ? IPAddress(octets: Array(lines[2])) : nil,
    ]
    for address in candidates.compactMap({ $0 }) {
      try require(IPAddress(parsing: address.description) == address, "an address reads as another one")
      try require(
        IPAddress(octets: address.octets) == address, "the octets of an address are those of another")
    }
    guard let destination = try? AddressPolicy(allow: list).destination(from: text[1]) else { return }
    for address in candidates.compactMap({ $0 })
    where PrivateRanges.contain(address) && !list.contains(address)
      && !list.origins.contains(destination.origin)
    {
      try require(
        !AddressPolicy(allow: list).permits(address, for: destination),
        "an address that nobody opened is open")
    }
  }
}
