import EndpointRegistry
import KindCatalogue
import StandIns
import StrictJSON
import WakeServer

extension DemoActs {
  /// Many alerts at once, and the few wakes for them.
  struct Storm: Sendable {
    struct Wake: Sendable {
      /// Alerts that it stands for.
      let alerts: Int
      /// From the first call of the hook to its arrival.
      let milliseconds: Int64
    }

    let alerts: Int
    let windowSeconds: Int
    let wakes: [Wake]

    var document: JSONValue {
      [
        "alerts": .integer(Int64(alerts)), "windowSeconds": .integer(Int64(windowSeconds)),
        "wakes": .array(
          wakes.map { ["alerts": .integer(Int64($0.alerts)), "milliseconds": .integer($0.milliseconds)] }),
      ]
    }
  }

  private static let stormAlerts = 20
  /// Long enough for a slow machine to take the storm in one window, short enough to be waited for.
  private static let stormWindowSeconds = 2

  /// Raises many alerts within one window, and waits until wakes stand for all of them.
  func storm() async throws(CommandError) -> Storm {
    let (phone, seconds, count) = (parties.phone, Self.stormWindowSeconds, Self.stormAlerts)
    guard let stack = StackID(link.stack) else { throw .failed("the link names no stack") }
    _ = try await parties.withStore { store throws(RegistryError) in
      try await store.setWindow(seconds, of: stack)
    }
    // The last wake's window has to be over, so that the first alert is told at once.
    let before = phone.wakes
    if let last = before.last {
      try? await Task.sleep(until: last.at + .seconds(seconds), clock: .continuous)
    }
    let start = ContinuousClock.now
    var ids: [String] = []
    for number in 1...count { ids.append(try await raise(.problem, "alert \(number) of a storm")) }
    let rows = try await waiting(for: "the wakes of the storm") { () throws(CommandError) in
      let rows = try await delivered().filter { $0["alerts"]?["first"]?.word.map(ids.contains) == true }
      return rows.reduce(0) { $0 + Self.alerts(of: $1) } >= count ? Array(rows.reversed()) : nil
    }
    for id in ids {
      _ = try await waiting(for: "an alert of the storm") { () throws(CommandError) in phone.shown(id) }
    }
    let wakes = phone.wakes.dropFirst(before.count)
    guard wakes.count == rows.count else {
      throw .failed("\(wakes.count) wakes came for a storm, and there are \(rows.count) rows")
    }
    return Storm(
      alerts: count, windowSeconds: seconds,
      wakes: zip(rows, wakes).map { row, wake in
        Storm.Wake(alerts: Self.alerts(of: row), milliseconds: (wake.at - start).wholeMilliseconds)
      })
  }

  /// How many alerts a row stands for.
  private static func alerts(of row: JSONObject) -> Int {
    row["alerts"]?["count"]?.integer.map(Int.init) ?? 0
  }
}
