import Foundation
import TestSupport
import Testing

@Suite("Strict decoding of test vectors")
struct StrictDecodingTests {
  private struct Vector: Codable {
    struct Inner: Codable { var a: Int }
    var name: String
    var list: [Inner]
    var note: String?
  }

  @Test("a file is decoded where every member is known, and an optional one may be missing")
  func known() throws {
    let vector = try StrictDecoding.decode(
      Vector.self, from: Data(#"{"name":"x","list":[{"a":1},{"a":2}]}"#.utf8))
    #expect(vector.list.map(\.a) == [1, 2])
  }

  @Test(
    "an unknown member fails the test and is named",
    arguments: [
      (#"{"name":"x","list":[],"expcet":"ok"}"#, "expcet"),
      (#"{"name":"x","list":[{"a":1},{"a":2,"b":3}]}"#, "list.1.b"),
    ])
  func unknown(text: String, path: String) {
    let error = #expect(throws: StrictDecoding.UnknownMember.self) {
      try StrictDecoding.decode(Vector.self, from: Data(text.utf8))
    }
    #expect(error?.path == path)
  }
}
