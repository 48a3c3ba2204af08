import Foundation
import HTTPListener
import TestSupport
import Testing

/// Raw requests with the outcomes that a strict server may give.
private struct RawRequestCase: Decodable, Sendable {
  let id: String
  let raw: String
  let expect: [String]
  let why: String

  /// `raw` is Latin-1: one character, one octet.
  var octets: [UInt8] { raw.unicodeScalars.map { UInt8($0.value) } }

  static func all() throws -> [RawRequestCase] {
    struct File: Decodable { let cases: [RawRequestCase] }
    return try JSONDecoder().decode(File.self, from: Fixtures.data("http/http_raw.json")).cases
  }
}

@Suite("Raw requests over a socket")
struct RawRequestTests {
  /// Where the library answers before we are asked, and otherwise than a strict server would.
  private static let deviations: [String: (outcome: String, reason: String)] = [
    "chunk-ext-long": (
      "500",
      "the line of a chunk's size does not fit into the connection's memory; the library answers that itself, and closes"
    )
  ]

  @Test(
    "each is answered as a strict server may, or deviates as listed, by TLS as well",
    arguments: [false, true])
  func answersAreStrict(byTLS: Bool) async throws {
    let harness = try ListenerHarness(identities: byTLS ? TestIdentity.make().slot : nil)
    let cases = try RawRequestCase.all()
    #expect(cases.count == 51)
    for request in cases {
      let conversation = try await RawConversation(of: request.octets, with: harness)
      if let known = Self.deviations[request.id] {
        #expect(conversation.outcome == known.outcome, "\(request.id) is listed: \(known.reason)")
      } else {
        #expect(
          request.expect.contains(conversation.outcome),
          "\(request.id): \(request.why): \(conversation.outcome)")
      }
      #expect(!conversation.targets.contains("/smuggled"), "\(request.id) smuggled a request")
    }
    #expect(Set(Self.deviations.keys).isSubset(of: cases.map(\.id)))
    await harness.listener.stop()
  }
}
