import Foundation
import KindCatalogue
import StrictJSON
import Testing

@Suite("The demo")
struct DemoTests {
  @Test("it shows every kind from the hook to the row, one refusal, and leaves nothing behind")
  func demo() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    try FileManager.default.createDirectory(atPath: state.path("tmp"), withIntermediateDirectories: true)
    let ended = try await Program.wake(["demo", "--json"], state: state, ["TMPDIR": state.path("tmp")]).run()
    #expect(ended.exitCode == 0, "\(ended.errors)")
    let document = try ended.json
    let alerts = try #require(document["alerts"]?.array)
    #expect(alerts.map { $0["kind"]?.string } == Kind.allCases.map(\.name))
    for alert in alerts {
      #expect(alert["hookStatus"] == 202 && alert["octets"] == 256)
      #expect(alert["read"]?["id"] == alert["id"] && alert["read"]?["kind"] == alert["kind"])
      #expect(alert["attempt"]?["outcome"] == "accepted" && alert["attempt"]?["status"] == 201)
      #expect(alert["attempt"]?["alerts"]?["last"] == alert["id"])
      #expect(alert["attempt"]?["receiptAt"]?.string != nil)
      for time in ["wakeMilliseconds", "shownMilliseconds"] {
        #expect(try (0...10_000).contains(#require(alert[time]?.integer)))
      }
      let plaintext = try StrictJSON.parse(Array((alert["plaintext"]?.string ?? "").utf8))
      #expect(plaintext["s"] == document["stack"])
    }
    #expect(document["refused"]?["status"] == 422 && document["refused"]?["messages"] == 0)
    #expect(document["device"]?["registered"] == "unconfirmed")
    #expect(document["device"]?["receipted"] == "confirmed")
    #expect(document["stream"]?["wakes"] == 0 && document["stream"]?["milliseconds"]?.integer ?? -1 >= 0)
    let storm = try #require(document["storm"])
    let wakes = try #require(storm["wakes"]?.array)
    #expect(wakes.count == 2 && storm["alerts"] == 20)
    #expect(wakes.reduce(0) { $0 + ($1["alerts"]?.integer ?? 0) } == 20)
    // One at once, one at the window's end.
    let window = 1_000 * (storm["windowSeconds"]?.integer ?? 0)
    #expect((wakes.first?["milliseconds"]?.integer ?? .max) < window)
    #expect((wakes.last?["milliseconds"]?.integer ?? 0) >= window)
    #expect(document["delivery"]?["devices"]?["confirmed"] == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path("tmp")).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: state.path("state")))
  }

  @Test("for people it shows no token and no key")
  func people() async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    let ended = try await Program.wake(["demo"], state: state).run()
    #expect(ended.exitCode == 0 && ended.errors.isEmpty)
    for secret in ["wkh_", "wkd_", "wkp_", "t=ey", "/up"] { #expect(!ended.output.contains(secret)) }
    for kind in Kind.allCases { #expect(ended.output.contains(kind.name.uppercased())) }
  }
}
