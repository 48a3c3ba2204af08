import TestSupport
import Testing

@testable import PushDelivery

@Suite("An endpoint that one wake found gone, and the wakes on their way to it")
struct GoneEndpointsTests {
  @Test(
    "a subscription that did not change since is gone as well; one that changed, and another endpoint, are not"
  )
  func rule() {
    var gone = GoneEndpoints()
    #expect(!gone.have([1], changed: .min))
    gone.found([1], at: 5)
    #expect(gone.have([1], changed: 5) && gone.have([1], changed: 2))
    #expect(!gone.have([1], changed: 6) && !gone.have([2], changed: 2))
    // A wake that was made earlier takes nothing back.
    gone.found([1], at: 3)
    #expect(gone.have([1], changed: 5))
    gone.found([1], at: 7)
    #expect(gone.have([1], changed: 6))
  }

  @Test("what is remembered is bounded")
  func bound() {
    var gone = GoneEndpoints()
    let numbers = 0...GoneEndpoints.entriesMaximum
    for number in numbers {
      gone.found([UInt8(number & 255), UInt8(number >> 8 & 255), UInt8(number >> 16)], at: 1)
    }
    #expect(gone.have([0, 0, 1], changed: 1))
    #expect(!gone.have([0, 0, 0], changed: 1))
  }

  @Test(
    "is not asked again by a wake that waited its turn, unless the subscription was changed",
    arguments: [404, 410])
  func waiting(status: Int) async throws {
    let server = try RawServer { _ in .status(status) }
    defer { server.stop() }
    let origin = "http://127.0.0.1:\(server.port)"
    try await PushHarness.withSender(allow: origin) { sender, policy in
      func answer(_ moments: SubscriptionMoments?) async throws -> PushAnswer {
        var message = try PushHarness.message(to: "\(origin)/up", policy)
        message.moments = moments
        return await sender.send(message)
      }
      let first = try await answer(SubscriptionMoments(changed: 1, read: 5))
      #expect(first.outcome == .gone && first.status == status)
      let second = try await answer(SubscriptionMoments(changed: 1, read: 9))
      #expect(second.outcome == .gone && second.status == nil)
      #expect(second.reason == NetworkReason.foundGone.rawValue)
      #expect(server.requests.count == 1)
      for moments in [SubscriptionMoments(changed: 6, read: 9), nil] {
        #expect(try await answer(moments).status == status)
      }
      #expect(server.requests.count == 3)
    }
  }
}
