import HTTPClient
import StandIns
import StrictJSON
import Synchronization
import Testing

@Suite("The stand-in push server")
struct StandInPushServerTests {
  @Test("without rules it takes everything, keeps it, and checks nothing")
  func plain() async throws {
    let server = try StandInPushServer()
    let answer = try await HTTPClient().send("POST", "\(server.origin)/up/gone", headers: [], body: [1, 2])
    #expect(answer.status == 201)
    server.answer("/up/gone", with: 410)
    let told = try await HTTPClient().send("POST", "\(server.origin)/up/gone", headers: [], body: [3])
    #expect(told.status == 410)
    #expect(await server.wait(for: 2).map(\.body) == [[1, 2], [3]])
    await server.stop()
  }

  @Test("a body beyond what is read is answered 413, and is seen", arguments: [false, true])
  func tooLarge(isHostile: Bool) async throws {
    let (seen, see) = AsyncStream<PushSight>.makeStream()
    let body = [UInt8](repeating: 1, count: 65_537)
    let sees: @Sendable (PushSight) -> Void = { see.yield($0) }
    if isHostile {
      let server = try HostilePushServer(rules: PushServerRules(as: .hostile), seeing: sees)
      _ = try? await HTTPClient().send("POST", "\(server.origin)/up/secret", headers: [], body: body)
      await server.stop()
    } else {
      let server = try StandInPushServer(rules: PushServerRules(as: .strict), seeing: sees)
      _ = try? await HTTPClient().send("POST", "\(server.origin)/up/secret", headers: [], body: body)
      await server.stop()
    }
    let sight = try #require(await seen.first { _ in true })
    #expect(sight.status == 413 && sight.faults.map(\.part) == [.framing] && sight.endpoint == nil)
    #expect(!sight.line.contains("secret"))
  }

  @Test("it stops at once while a slow answer is under way")
  func slow() async throws {
    let (seen, see) = AsyncStream<PushSight>.makeStream()
    let server = try StandInPushServer(rules: PushServerRules(as: .prosody), seeing: { see.yield($0) })
    async let answer = HTTPClient().send("POST", "\(server.origin)/silent", headers: [], body: [1])
    #expect(await seen.first { _ in true }?.cause == "silent")
    let start = ContinuousClock.now
    await server.stop()
    // Without that it would be the ten seconds for which a listener lets requests finish.
    #expect(ContinuousClock.now - start < .seconds(8))
    #expect(try await answer.status == 201)
  }

  @Test("with rules it answers by them, keeps nothing unless it should, and says what it saw")
  func ruled() async throws {
    let seen = Mutex<[PushSight]>([])
    let ruled = try StandInPushServer(
      rules: PushServerRules(as: .strict), keepsMessages: false,
      seeing: { sight in seen.withLock { $0.append(sight) } })
    let http = HTTPClient()
    let refused = try await http.send("POST", "\(ruled.origin)/up/secret", headers: [], body: [1])
    #expect(refused.status == 401)
    #expect(try StrictJSON.parse(refused.body)["detail"]?.string?.contains("authorization") == true)
    #expect(try await http.send("GET", "\(ruled.origin)/up/secret", headers: [], body: nil).status == 405)
    #expect(try await http.send("POST", "\(ruled.origin)/gone-1", headers: [], body: [1]).status == 410)
    #expect(ruled.messages.isEmpty)
    let sights = seen.withLock { $0 }
    #expect(sights.map(\.status) == [401, 405, 410] && sights.map(\.cause) == [nil, nil, "gone"])
    #expect(sights[0].endpoint == sights[1].endpoint && sights[0].endpoint != sights[2].endpoint)
    #expect(sights.allSatisfy { !$0.line.contains("secret") && $0.endpoint?.count == 12 })
    await ruled.stop()
  }
}
