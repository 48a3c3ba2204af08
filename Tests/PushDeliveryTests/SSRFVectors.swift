import Foundation
import TestSupport
import Testing

/// `Fixtures/ssrf/ssrf.json`: hostile and harmless endpoints and addresses with their verdicts.
struct SSRFVectors: Decodable {
  struct Row: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let url: String
    let expect: String
    let stage: String
    let reason: String
    let resolves: [[String]]?

    var testDescription: String { "\(id): \(reason)" }
    /// Whether the text alone has to be accepted.
    var passesByText: Bool { expect == "allow" || stage == "connect" || stage == "send" }
  }

  struct AddressRow: Decodable, Sendable, CustomTestStringConvertible {
    let address: String
    let expect: String
    let reason: String

    var testDescription: String { "\(address): \(reason)" }
  }

  let urls: [Row]
  let addresses: [AddressRow]

  /// The file, or nothing where it cannot be read: a test counts the rows.
  static let all: SSRFVectors =
    (try? JSONDecoder().decode(SSRFVectors.self, from: Fixtures.data("ssrf/ssrf.json")))
    ?? SSRFVectors(urls: [], addresses: [])
}
