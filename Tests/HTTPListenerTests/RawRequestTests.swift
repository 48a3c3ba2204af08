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
  /// Where the library's own answer is not one that a strict server would give.
  private static let deviations: [String: (outcome: String, reason: String)] = [
    "chunk-ext-long": (
      "500",
      "the line of a chunk's size does not fit into the connection's memory; the library answers that itself, and closes"
    )
  ]

  /// What the library answers before our gate is asked, by id: its answer is HTML, or none. Each has its reason in the
  /// decision about it.
  private static let answeredByLibrary: [String: String] = [
    "version-overflow": "400",
    "version-lower": "400",
    "http09": "400",
    "h2-preface": "505",
    "target-space": "close",
    "cl-plus": "400",
    "cl-hex": "400",
    "cl-underscore": "400",
    "cl-space-inside": "400",
    "cl-empty": "400",
    "cl-list-differ": "400",
    "cl-overflow": "413",
    "hdr-64k": "431",
    "chunk-0x": "400",
    "chunk-plus": "400",
    "chunk-minus": "400",
    "chunk-space": "400",
    "chunk-junk": "400",
    "chunk-empty-size": "400",
    "chunk-no-crlf": "400",
    "chunk-overflow": "413",
    "chunk-ext-long": "500",
  ]

  /// The decision that lists them.
  private static let decision = "docs/adr/0019-what-the-library-answers-itself.md"

  @Test(
    "each is answered as a strict server may, or deviates as listed, by TLS as well",
    arguments: [false, true])
  func answersAreStrict(byTLS: Bool) async throws {
    let harness = try ListenerHarness(identities: byTLS ? TestIdentity.make().slot : nil)
    let cases = try RawRequestCase.all()
    #expect(cases.count == 51)
    var seen: [String: String] = [:]
    for request in cases {
      let refusals = harness.refusals.count
      let conversation = try await RawConversation(of: request.octets, with: harness)
      if let known = Self.deviations[request.id] {
        #expect(conversation.outcome == known.outcome, "\(request.id) is listed: \(known.reason)")
      } else {
        #expect(
          request.expect.contains(conversation.outcome),
          "\(request.id): \(request.why): \(conversation.outcome)")
      }
      #expect(!conversation.targets.contains("/smuggled"), "\(request.id) smuggled a request")
      // Whatever is refused is the last that is read on its connection.
      let isTaken = conversation.outcome.split(separator: " ").allSatisfy { $0 == "200" || $0 == "100" }
      #expect(isTaken || conversation.isOver, "\(request.id) was refused, and more was read")
      if !isTaken, harness.refusals.count == refusals { seen[request.id] = conversation.outcome }
    }
    #expect(Set(Self.deviations.keys).isSubset(of: cases.map(\.id)))
    #expect(seen == Self.answeredByLibrary)
    await harness.listener.stop()
  }

  @Test("what the library answers itself is listed in the decision about it, with its status")
  func decided() throws {
    let text = try Fixtures.document(Self.decision)
    for (id, outcome) in Self.answeredByLibrary {
      let line = text.split(separator: "\n").first { $0.hasPrefix("| `\(id)` ") }
      let cells = line.map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } } ?? []
      #expect(cells.count == 3 && cells[1] == outcome, "\(id): \(outcome)")
    }
    let listed = text.matches(of: #/^\| `([a-z0-9-]+)` /#.anchorsMatchLineEndings()).map {
      String($0.output.1)
    }
    #expect(Set(listed) == Set(Self.answeredByLibrary.keys))
  }
}
