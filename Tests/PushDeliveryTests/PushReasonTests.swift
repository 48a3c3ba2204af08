import PushDelivery
import TestSupport
import Testing

@Suite("A push server's own words")
struct PushReasonTests {
  private func reason(path: String, body: String, status: Int = 403) async throws -> String? {
    let (answer, _) = try await PushHarness.send(path: path) { _ in .status(status, body: body) }
    return answer.reason
  }

  @Test("they are kept for a refusal and dropped for a success")
  func kept() async throws {
    let body = #"{"error":"forbidden"}"#
    #expect(try await reason(path: "/x", body: body) == body)
    #expect(try await reason(path: "/x", body: body, status: 200) == nil)
    #expect(try await reason(path: "/x", body: "", status: 403) == nil)
  }

  @Test(
    "what they echo of the endpoint is masked",
    arguments: [
      ("/upAbC123?up=1", "no topic upAbC123 here", "no topic … here"),
      ("/upAbC123?up=1", "no topic UPABC123", "no topic …"),
      ("/upAbC123?up=1", "POST /upAbC123?up=1 denied", "POST … denied"),
      ("/upAbC123?up=1", "http://x/upAbC123?up=1", "http://x…"),
      ("/w/secret/token-of-mine", #"{"path":"\/w\/secret\/token-of-mine"}"#, #"{"path":"…"}"#),
      ("/w/?token=aa%2fBB%3d~c", "token aa/BB=~c", "token …"),
      ("/w/?token=aa%2fBB%3d~c", "token aa%2FBB%3D~c", "token …"),
      ("/wpush/v2/gAAAAABexampleexample", "unknown gAAAAABexam", "unknown …"),
      ("/upAbC123", "no topic u\u{200b}p\u{200b}A\u{200b}b\u{200b}C\u{200b}123", "no topic …"),
      // As servers escape what they echo.
      ("/up/S3cretTopicABCD=EFGH", "no leave for S3cretTopicABCD%3DEFGH", "no leave for …"),
      ("/up/S3cretTopicABCD=EFGH", "no leave for S3cretTopicABCD%253DEFGH", "no leave for …"),
      ("/up/S3cretTopic%2541BCDEFGH", "no leave for S3cretTopic%2541BCDEFGH", "no leave for …"),
      ("/up/S3cretTopic", "no leave for \\u00533cret\\u0054opic", "no leave for …"),
      ("/up/S3cretTopic?a=1&b=22222", "at /up/S3cretTopic?a&#61;1&amp;b&#x3D;22222.", "at …."),
      ("/up/S3cretTopic", "%53%33%63%72%65%74%54%6f%70%69%63", "…"),
      ("/up/caf%C3%A9-table", "no leave for café-table", "no leave for …"),
      ("/up/caf%C3%A9-table", "no leave for caf%C3%A9-table", "no leave for …"),
      ("/up/a%20long%20name", "no leave for a long name", "no leave for …"),
      ("/up/S3cret%00Topic%FF", "no leave for S3cretTopic", "no leave for …"),
      ("/x", "%+f %-1 %zz", "%+f %-1 %zz"),
      ("/x", "100% of \\umlauts &c; & 5%2", "100% of \\umlauts &c; & 5%2"),
      ("/x", "bad token header.claims.signature", "bad token ….….…"),
      ("/x", "bad key publickey", "bad key …"),
    ])
  func masked(path: String, body: String, expected: String) async throws {
    #expect(try await reason(path: path, body: body) == expected)
  }

  @Test("they are one line of at most 200 printable characters")
  func printable() async throws {
    #expect(try await reason(path: "/x", body: "a\r\n\t b\u{1b}[31mc\0d\u{202e}e\u{7f}") == "a b[31mcde")
    #expect(
      try await reason(path: "/x", body: String(repeating: "ä ", count: 500))?.unicodeScalars.count == 199)
    #expect(
      try await reason(path: "/x", body: String(repeating: "ä", count: 500))?.unicodeScalars.count == 200)
    #expect(try await reason(path: "/x", body: "\0\0\u{1}") == nil)
  }

  @Test(
    "a secret at the end of what is kept of a long body is not half shown",
    arguments: [3_000, 4_080, 4_090, 4_096])
  func cut(offset: Int) async throws {
    let body =
      String(repeating: "\0", count: offset) + "upAbC123upAbC123" + String(repeating: "\0", count: 5_000)
    let reason = try await reason(path: "/upAbC123upAbC123", body: body)
    #expect(reason == nil || reason == "…")
  }

  @Test(
    "a 400 that speaks of the key is a refusal",
    arguments: ["VapidPkHashMismatch", "invalid JWT", "Vapid public key mismatch"])
  func vapid(words: String) async throws {
    let (answer, _) = try await PushHarness.send { _ in .status(400, body: #"{"reason":"\#(words)"}"#) }
    #expect(answer.outcome == .refused)
    #expect(answer.reason?.contains(words) == true)
  }
}
