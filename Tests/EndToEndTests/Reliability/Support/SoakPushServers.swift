import Foundation
import StandIns
import Synchronization

/// The push servers of a soak: a kind one that refuses now and then, and hostile ones that do everything wrong.
final class SoakPushServers: Sendable {
  /// What the kind one answers: mostly that it took the wake.
  private static let statuses = [201, 201, 201, 201, 201, 201, 201, 202, 200, 500, 503, 400]
  /// Faults that end at once, and those that hold a connection until the sender gives up. Each sort has an origin of its
  /// own, as a silent one is spared.
  private static let quick: [HostileFault] = [
    .gzipBomb, .redirectLoop, .garbage, .goaway, .cut, .reset, .earlyClose, .earlyAnswer,
  ]
  private static let slow = HostileFault.allCases.filter { !quick.contains($0) }

  private final class Counts: Sendable {
    let kind = Atomic(0)
    let hostile = Atomic(0)
  }

  private let counts: Counts
  private let kind: StandInPushServer
  private let quickly: HostilePushServer
  private let slowly: HostilePushServer

  init() throws {
    let counts = Counts()
    self.counts = counts
    kind = try StandInPushServer(taking: { _ in
      counts.kind.wrappingAdd(1, ordering: .relaxed)
      return Self.statuses.randomElement() ?? 201
    })
    let see: @Sendable (PushSight) -> Void = { _ in counts.hostile.wrappingAdd(1, ordering: .relaxed) }
    quickly = try HostilePushServer(rules: PushServerRules(as: .hostile, checks: false), seeing: see)
    slowly = try HostilePushServer(rules: PushServerRules(as: .hostile, checks: false), seeing: see)
  }

  /// For `WAKE_PUSH_ALLOW`.
  var origins: String { [kind.origin, quickly.origin, slowly.origin].joined(separator: ",") }

  /// Where they listen.
  var ports: Set<Int> {
    Set(
      [kind.origin, quickly.origin, slowly.origin].compactMap {
        $0.split(separator: ":").last.flatMap { Int($0) }
      })
  }

  /// Messages so far.
  var messages: Int { counts.kind.load(ordering: .relaxed) }
  var provoked: Int { counts.hostile.load(ordering: .relaxed) }

  /// Endpoints of a house: some at the kind server, and its share of the faults.
  func endpoints(of house: Int) -> (kind: [String], hostile: [String]) {
    let faults =
      Self.quick.map { "\(quickly.origin)/\($0.rawValue)/\(house)" }
      + Self.slow.map { "\(slowly.origin)/\($0.rawValue)/\(house)" }
      + ["\(quickly.origin)/status-429-after-2/\(house)", "\(quickly.origin)/status-503/\(house)"]
    let share = stride(from: house, to: faults.count, by: 5).map { faults[$0] }
    return ((0..<3).map { "\(kind.origin)/up/\(house)-\($0)" }, share)
  }

  func stop() async {
    await kind.stop()
    await quickly.stop()
    await slowly.stop()
  }
}
