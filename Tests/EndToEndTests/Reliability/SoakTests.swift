import Foundation
import HTTPClient
import StandIns
import StrictJSON
import Synchronization
import Testing

extension Reliability {
  @Suite("Soak")
  struct SoakTests {
    /// For how many minutes; a fraction where nobody says.
    private static let minutes =
      ProcessInfo.processInfo.environment["WAKE_SOAK_MINUTES"].flatMap(Double.init) ?? 0.2
    private static let alertsPerSecond = 50
    private static let stacks = 5
    private static let readersPerStack = 2
    /// A slope has to be of so long a time to mean anything.
    private static let slopeMinutes = 30.0
    private static let slopeMaximum = 1.0
    /// Connections to push servers that the service keeps open: 20 to each of the three.
    private static let keptConnections = 60
    /// For what is under way at the end: a push server may take ten seconds for each of several answers.
    private static let rest = Duration.seconds(150)

    @Test(
      "50 alerts a second, hostile push servers, readers that come and go: nothing grows, and every alert is accounted for"
    )
    func soak() async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      let push = try SoakPushServers()
      let settings = [
        "WAKE_PUSH_ALLOW": push.origins, "WAKE_WINDOW": "1", "WAKE_KEEP_ATTEMPTS": "100000000",
        "WAKE_LOG_LEVEL": "warning",
      ]
      try await Server.with(state, settings, launcher: memory.launcher) { server in
        try await Self.soak(server, push, memory)
      }
      await push.stop()
    }

    private static func soak(_ server: Server, _ push: SoakPushServers, _ memory: MemoryLimit) async throws {
      var houses: [SoakHouse] = []
      for number in 0..<stacks {
        houses.append(try await SoakHouse(number, on: server, push, readers: readersPerStack))
      }
      let before = try await server.settled {
        try ProcessUse.descriptors(of: server.process.pid, to: push.ports).others
      }
      let count = Int(minutes * 60 * Double(alertsPerSecond)) / stacks
      let begin = ContinuousClock.now
      let end = begin + .seconds(minutes * 60) * 2 + rest
      let samples = MemorySamples(of: server.process.pid, each: .seconds(max(0.2, minutes * 60 / 500)))
      let measuring = Task { await samples.run() }
      let ended = await withTaskGroup(of: SoakHouse.Told.self) { group in
        for house in houses {
          group.addTask { [houses] in
            await house.live(alerts: count, every: .seconds(1) * houses.count / alertsPerSecond, until: end)
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let seconds = begin.duration(to: .now) / .seconds(1)
      measuring.cancel()
      await measuring.value

      let raised = ended.reduce(0) { $0 + $1.raised.count }
      #expect(raised == count * stacks)
      for told in ended {
        for heard in told.heard {
          #expect(
            heard.ids == told.raised, "\(told.raised.count - heard.ids.count) alerts were not heard once each"
          )
          #expect(heard.faults.isEmpty)
        }
      }
      var accounts = 0
      for house in houses { accounts += try await house.account(for: count, within: rest) }
      // Whatever is no kept connection to a push server is closed. One that has died meanwhile leads nowhere, and is closed when
      // the next wake goes out.
      #expect(
        try await eventually(within: rest) {
          try await houses[0].raiseOne()
          let now = try ProcessUse.descriptors(of: server.process.pid, to: push.ports)
          return now.others <= before && now.connections <= keptConnections
        }, "descriptors were not closed")
      let after = try ProcessUse.descriptors(of: server.process.pid, to: push.ports)
      Figures.note(
        "soak's descriptors",
        "\(before) before, \(after.others) after, and \(after.connections) kept connections to push servers")
      let connections = ended.reduce(0) { $0 + $1.heard.reduce(0) { $0 + $1.connections } }
      #expect(connections > Int(minutes * Double(stacks * readersPerStack)), "readers did not come and go")
      Figures.note(
        "soak",
        "\(raised) alerts in \(Int(seconds)) s, \(Int(Double(raised) / seconds)) a second, "
          + "\(push.messages) wakes at kind push servers, \(push.provoked) at hostile ones, "
          + "\(connections) connections of readers, "
          + "\(accounts) alerts to devices, each accounted for once")
      let slope = samples.mebibytesPerHour
      Figures.note(
        "soak's memory",
        "\(samples.last) MiB at the end, \(String(format: "%+.2f", slope)) MiB an hour over the second half; tenths: "
          + samples.tenths.map { String(format: "%.1f", $0) }.joined(separator: " "))
      if minutes >= slopeMinutes {
        #expect(slope < slopeMaximum, "memory grows")
      }
      try memory.expectKept(by: server, during: "the soak")
    }
  }
}
