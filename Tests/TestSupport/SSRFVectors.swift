import Foundation
public import Testing

/// `Fixtures/ssrf/ssrf.json`: hostile and harmless endpoints and addresses with their verdicts.
public struct SSRFVectors: Decodable, Sendable {
  /// An endpoint and its verdict.
  public struct Row: Decodable, Sendable, CustomTestStringConvertible {
    /// What the row is called.
    public let id: String
    /// The endpoint, byte for byte.
    public let url: String
    /// `allow` or `deny`.
    public let expect: String
    /// Where a refusal falls: `parse`, `policy`, `connect` or `send`.
    public let stage: String
    /// Why.
    public let reason: String
    /// The answers of its name, one after the other; `SELF` is this host's own address.
    public let resolves: [[String]]?

    /// How a test names it.
    public var testDescription: String { "\(id): \(reason)" }
    /// Whether the text alone has to be accepted.
    public var passesByText: Bool { expect == "allow" || stage == "connect" || stage == "send" }
  }

  /// An address and its verdict.
  public struct AddressRow: Decodable, Sendable, CustomTestStringConvertible {
    /// The address as text.
    public let address: String
    /// `allow` or `deny`.
    public let expect: String
    /// Why.
    public let reason: String

    /// How a test names it.
    public var testDescription: String { "\(address): \(reason)" }
  }

  /// The endpoints.
  public let urls: [Row]
  /// The addresses.
  public let addresses: [AddressRow]

  /// The file, or nothing where it cannot be read: a test counts the rows.
  public static let all: SSRFVectors =
    (try? JSONDecoder().decode(SSRFVectors.self, from: Fixtures.data("ssrf/ssrf.json")))
    ?? SSRFVectors(urls: [], addresses: [])
}
