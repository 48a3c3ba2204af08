/// One reader of what strangers, push servers and old files send, and what must hold whatever they send.
public struct FuzzTarget: Sendable {
  /// As `make fuzz` and the folder of its seeds in `Fixtures/fuzz` call it.
  public let name: String
  /// Octets that an input has at most: what its reader takes, and a little more.
  public let lengthMaximum: Int
  private let body: @Sendable ([UInt8]) throws -> Void

  init(_ name: String, lengthMaximum: Int, _ body: @escaping @Sendable ([UInt8]) throws -> Void) {
    self.name = name
    self.lengthMaximum = lengthMaximum
    self.body = body
  }

  /// Feeds one input; throws a `FuzzFinding` for what did not hold.
  public func run(_ octets: [UInt8]) throws { try body(octets) }

  /// All of them.
  public static let all: [FuzzTarget] = [
    .address, .backup, .base64url, .configuration, .cursor, .endpoint, .head, .json, .keys, .message,
    .request,
    .retryAfter,
  ]
}
