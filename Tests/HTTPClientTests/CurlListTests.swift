import HTTPClient
import Testing

@Suite("A list of strings for libcurl")
struct CurlListTests {
  @Test(
    "a line is written over by one of the same length, and by no other",
    arguments: [
      (1, "Topic: xyz", true), (0, "TTL: 99", true), (1, "Topic: xy", false), (1, "Topic: wxyz", false),
      (1, "", false), (3, "Accept:", false), (9, "TTL: 60", false),
    ])
  func replacing(index: Int, line: String, isReplaced: Bool) throws {
    var list = try CurlList(["TTL: 60", "Topic: abc", "Accept:"])
    let found = list.replace(at: index, with: line)
    #expect(found == isReplaced)
  }
}
