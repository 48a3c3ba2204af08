import KindCatalogue
import StandIns
import StrictJSON
import Testing
import WakeServer

@Suite("A registration that is merged from parts (RFC 7396)")
struct MergeTests {
  /// What a phone must have become by all its changes.
  struct Model {
    var label: String?
    var muted: [Kind] = []
    var target: String?
    var companion: Companion?
  }

  /// One part of a registration, as a PATCH or a piece of one.
  enum Part: CaseIterable {
    case label, noLabel, muted, nothingMuted, subscription, endpoint, keys, noSubscription, unknown
  }

  /// A generator with a seed, so that a failure can be had again (SplitMix64).
  struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var word = state
      word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
      return word ^ (word >> 31)
    }
  }

  @Test("parts in any order make the same whole", arguments: 1...4)
  func orders(seed: UInt64) async throws {
    var random = Seeded(state: seed)
    try await TestService.with { service in
      let companion = try Companion()
      let subscription = service.subscription("/final", companion)
      let parts: [JSONValue] = [
        ["label": "pocket"], ["muted": ["member", "update"]], subscription, ["unknown": ["label": "x"]], [:],
      ]
      for round in 0..<6 {
        let reply = try await service.register(["client": .string(try Companion().client)])
        let phone = try service.phone(companion, reply)
        for part in parts.shuffled(using: &random) {
          #expect(try await service.patch(phone, part).status == 200)
        }
        let state = try await service.state(of: phone)
        #expect(state["label"] == "pocket" && state["muted"] == ["update", "member"], "round \(round)")
        #expect(state["state"] == "unconfirmed" && state["pushServer"]?.string == service.pushServer.origin)
        // The endpoint moved here from the phone of the round before, and each move was an activation.
        #expect(await service.pushServer.wait(for: round + 1).count == round + 1)
      }
      #expect(try await service.hook(["kind": "problem"]).json["devices"] == 1)
    }
  }

  @Test(
    "whatever comes in whatever order, what is not named stays, and a change wakes once", arguments: 1...6)
  func property(seed: UInt64) async throws {
    var random = Seeded(state: seed)
    try await TestService.with { service in
      let reply = try await service.register(["client": .string(try Companion().client)])
      let phone = try service.phone(try Companion(), reply)
      var model = Model()
      var wakes = 0
      for step in 0..<40 {
        let before = model
        let (body, isGood) = try Self.patch(&model, step, service, &random)
        if !isGood { model = before }
        let answer = try await service.patch(phone, body)
        let what: Comment = "seed \(seed), step \(step): \(body.object?.names ?? [])"
        #expect(answer.status == (isGood ? 200 : 422), what)
        let state = try await service.state(of: phone)
        #expect(state["label"] == model.label.map(JSONValue.string) ?? .null, what)
        #expect(state["muted"] == Presentation.names(model.muted), what)
        #expect((state["state"] == "no-push") == (model.target == nil), what)
        #expect((state["pushServer"] == .null) == (model.target == nil), what)
        let changed = model.target != before.target || model.companion?.client != before.companion?.client
        if changed, let companion = model.companion {
          wakes += 1
          let message = try #require(await service.pushServer.wait(for: wakes).last, what)
          #expect(message.target == model.target, what)
          #expect(try !companion.decrypt(message.body).isEmpty, what)
        }
      }
      await service.settle()
      #expect(service.pushServer.messages.count == wakes)
    }
  }

  /// A PATCH of one to three parts, with `model` changed as it must be; and whether it is to be taken.
  private static func patch(
    _ model: inout Model, _ step: Int, _ service: TestService, _ random: inout Seeded
  ) throws -> (JSONValue, Bool) {
    var body: JSONValue = [:]
    var isGood = true
    var isNamed = false  // the subscription, which one PATCH names once
    for part in Part.allCases.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)) {
      let isSubscription = [.subscription, .endpoint, .keys, .noSubscription].contains(part)
      if isSubscription, isNamed { continue }
      isNamed = isNamed || isSubscription
      switch part {
      case .label:
        model.label = "label \(step)"
        body = body.with("label", .string("label \(step)"))
      case .noLabel where body["label"] == nil:
        model.label = nil
        body = body.with("label", .null)
      case .muted:
        model.muted = Kind.allCases.filter { _ in Bool.random(using: &random) }
        body = body.with("muted", Presentation.names(model.muted))
      case .nothingMuted where body["muted"] == nil:
        model.muted = []
        body = body.with("muted", .null)
      case .subscription:
        let (target, companion) = ("/\(step)", try Companion())
        (model.target, model.companion) = (target, companion)
        body = body.with("endpoint", .string(service.pushServer.origin + target)).with("keys", companion.keys)
      case .endpoint:
        isGood = model.target != nil
        model.target = "/\(step)"
        body = body.with("endpoint", .string("\(service.pushServer.origin)/\(step)"))
      case .keys:
        let companion = try Companion()
        isGood = model.target != nil
        model.companion = companion
        body = body.with("keys", companion.keys)
      case .noSubscription:
        (model.target, model.companion) = (nil, nil)
        body = body.with("endpoint", .null)
      case .unknown, .noLabel, .nothingMuted:
        body = body.with("unknown", .integer(Int64(step)))
      }
    }
    return (body, isGood)
  }
}
