import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

extension DemoActs {
  /// One alert from the hook to the attempt row.
  struct Act: Sendable {
    let kind: Kind
    let id: String
    let message: StandInPushServer.Message
    let plaintext: String
    /// From the hook's call to the wake's arrival.
    let wakeMilliseconds: Int64
    /// From the hook's call until the phone has read and shows.
    let shownMilliseconds: Int64
    let read: JSONValue
    let attempt: JSONObject

    var document: JSONValue {
      [
        "kind": .string(kind.name), "hookStatus": 202, "id": .string(id),
        "headers": .array(message.headers.map { .string("\($0.name): \(DemoScript.shown($0))") }),
        "octets": .integer(Int64(message.body.count)), "plaintext": .string(plaintext),
        "wakeMilliseconds": .integer(wakeMilliseconds), "shownMilliseconds": .integer(shownMilliseconds),
        "read": read, "attempt": .object(attempt),
      ]
    }
  }

  /// What the hook says to a kind that is none.
  struct Refusal: Sendable {
    let status: Int
    let body: JSONObject
    /// Messages that reached the push server because of it.
    let messages: Int

    var document: JSONValue {
      ["status": .integer(Int64(status)), "answer": .object(body), "messages": .integer(Int64(messages))]
    }
  }

  /// A word that is none of the closed list.
  static let unknownKind = "weather"
  /// Long enough for a wake that must not come.
  private static let silence = Duration.milliseconds(300)

  /// Raises an alert, and waits until the phone has read it and its receipt is in the attempt's row.
  func raise(_ kind: Kind) async throws(CommandError) -> Act {
    let phone = parties.phone
    let before = phone.wakes.count
    let start = ContinuousClock.now
    let id = try await raise(kind, "the demo raised \(kind.name)")
    let shown = try await waiting(for: "the alert") { () throws(CommandError) in phone.shown(id) }
    let attempt = try await waiting(for: "the receipt") { () throws(CommandError) in
      try await delivered().first { $0["alerts"]?["last"]?.word == id }
    }
    let wakes = phone.wakes
    guard wakes.count == before + 1, let wake = wakes.last else {
      throw .failed("the push server saw \(wakes.count - before) messages for one alert")
    }
    guard let plaintext = wake.arrival.plaintext else {
      throw .failed("the companion cannot decrypt the wake")
    }
    return Act(
      kind: kind, id: id, message: wake.arrival.message,
      plaintext: String(decoding: plaintext, as: UTF8.self),
      wakeMilliseconds: (wake.at - start).wholeMilliseconds,
      shownMilliseconds: (shown.at - start).wholeMilliseconds, read: shown.alert, attempt: attempt)
  }

  func raiseAnUnknownKind() async throws(CommandError) -> Refusal {
    let before = parties.phone.wakes.count
    let (status, body) = try await hook(Self.unknownKind, "an alert that does not exist")
    guard status == 422 else { throw .failed("the hook answered \(status) to a kind that does not exist") }
    try? await Task.sleep(for: Self.silence)
    return Refusal(status: status, body: body, messages: parties.phone.wakes.count - before)
  }
}
