internal import CryptoPrimitives
internal import StrictJSON

/// Everything that a companion keeps.
package struct CompanionState: Sendable {
  /// 22 base64url characters, chosen once, that every stack's ``client(for:)`` is made of.
  let client: String
  /// `host:port` at which it receives wakes itself; nil until it has a stack that needs it.
  package var listen: String?
  package var stacks: [CompanionStack]

  /// A companion that knows nothing yet.
  init(random: RandomOctets) {
    client = Base64URL.encode(random(16))
    listen = nil
    stacks = []
  }

  /// Back from a file; nil where it is not one of ours.
  init?(_ octets: [UInt8]) {
    guard
      let json = try? StrictJSON.parse(octets, limits: JSONLimits(octets: CompanionStateFile.lengthMaximum)),
      json["version"]?.integer == Self.version, let client = json["client"]?.string,
      case .array(let saved)? = json["stacks"]
    else { return nil }
    let stacks = saved.compactMap(CompanionStack.init)
    guard stacks.count == saved.count, Set(stacks.map(\.stack)).count == stacks.count else { return nil }
    self.client = client
    listen = json["listen"]?.string
    self.stacks = stacks
  }

  var octets: [UInt8] {
    JSONValue.object([
      "version": .integer(Self.version), "client": .string(client),
      "listen": listen.map { .string($0) } ?? .null, "stacks": .array(stacks.map(\.json)),
    ]).serialized() + [UInt8(ascii: "\n")]
  }

  /// What the companion calls itself to one stack: 22 base64url characters, by which the service knows a repeat. Nobody
  /// can tell from two of them that they are one companion's.
  func client(for stack: String) -> String {
    Base64URL.encode(Array(SHA256.digest(Array("\(client)/\(stack)".utf8)).prefix(16)))
  }

  /// The stack of this id.
  subscript(stack: String) -> CompanionStack? {
    get { stacks.first { $0.stack == stack } }
    set {
      let place = stacks.firstIndex { $0.stack == stack }
      switch (place, newValue) {
      case (let place?, let value?): stacks[place] = value
      case (nil, let value?): stacks.append(value)
      case (let place?, nil): stacks.remove(at: place)
      case (nil, nil): break
      }
    }
  }

  /// The form of the file.
  private static let version: Int64 = 1
}
