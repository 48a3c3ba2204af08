import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

extension DemoActs {
  /// A phone that has registered, and whose first wake has come.
  struct Pairing: Sendable {
    let device: String
    /// The state in the answer to the registration.
    let registered: String
    /// The state once the receipt of the first wake was handed back.
    let receipted: String

    var document: JSONValue {
      ["id": .string(device), "registered": .string(registered), "receipted": .string(receipted)]
    }
  }

  /// An alert that came over the open stream alone.
  struct Heard: Sendable {
    let id: String
    let milliseconds: Int64
    /// Wakes that came because of it.
    let wakes: Int

    var document: JSONValue {
      [
        "id": .string(id), "milliseconds": .integer(milliseconds), "wakes": .integer(Int64(wakes)),
      ]
    }
  }

  /// The phone scans the link, and goes to work.
  func pair() async throws(CommandError) -> Pairing {
    let outcome: CompanionPairing.Outcome
    do throws(CompanionError) { outcome = try await parties.phone.pair(link) } catch {
      throw CommandError(error)
    }
    guard outcome.wakeCame == true else { throw .failed("the activation wake did not come") }
    let device = outcome.stack.device
    let admin = AdminClient(parties.configuration)
    let receipted = try await waiting(for: "the receipt") { () throws(CommandError) in
      let devices = try await admin.get("/v1/admin/devices")["devices"]?.array ?? []
      let state = devices.first { $0["device"]?.word == device }?["state"]?.word
      return state == DeviceState.confirmed.rawValue ? state : nil
    }
    parties.phone.start(follows: false)
    _ = try await waiting(for: "the phone") { () throws(CommandError) in parties.phone.isReady ? true : nil }
    return Pairing(device: device, registered: outcome.registered ?? "?", receipted: receipted)
  }

  /// The app is opened: it follows the stream, and hears what wakes nobody.
  func follow() async throws(CommandError) -> Heard {
    await parties.phone.end()
    parties.phone.start(follows: true)
    _ = try await waiting(for: "the stream") { () throws(CommandError) in
      parties.phone.isFollowing ? true : nil
    }
    let before = parties.phone.wakes.count
    let start = ContinuousClock.now
    let id = try await raise(.update, "an alert of the demo that wakes nobody", wake: false)
    let shown = try await waiting(for: "the alert on the stream") { () throws(CommandError) in
      parties.phone.shown(id)
    }
    return Heard(
      id: id, milliseconds: (shown.at - start).wholeMilliseconds,
      wakes: parties.phone.wakes.count - before)
  }
}
