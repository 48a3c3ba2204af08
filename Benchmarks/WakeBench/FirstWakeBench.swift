import Foundation
import Synchronization

/// How long after a hook call the wake is on the wire, while calls come at an even rate.
///
/// Each call is to wake somebody: nothing is merged, and the calls go round stacks of one device each, so that a device
/// has been woken long before its stack is called again.
struct FirstWakeBench {
  let seconds: Int

  private static let perSecond = 1_000
  private static let stacks = 100
  /// Callers with a connection each.
  private static let callers = 4

  func run(_ report: inout Report) async throws {
    let sink = try WireSink()
    defer { sink.end() }
    let origin = "http://127.0.0.1:\(sink.port)"
    let service = try WokenService(pushAllow: origin)
    defer { service.process.end() }
    let ids = try service.addStacks(Self.stacks)
    try await Registrar(service: service.process).register(
      Self.stacks, stack: { ids[$0] }, endpoint: { "\(origin)/up/\($0)" })
    try await wait(for: Self.stacks, at: sink)  // the activation wakes
    let calls = (0..<Self.stacks).map(service.hookCall)
    let port = Int(service.process.address.split(separator: ":").last ?? "") ?? 0
    let stolen = try Self.stolenTicks()
    let called = try Self.call(calls, port: port, count: seconds * Self.perSecond)
    let stolenMilliseconds = try (Self.stolenTicks() - stolen) * Self.tickMilliseconds
    try await wait(for: Self.stacks + called.count, at: sink)

    var latencies: [Double] = []
    for (stack, times) in Dictionary(grouping: called.indices, by: { $0 % Self.stacks }) {
      let arrivals = sink.arrivals(at: stack).dropFirst()
      guard arrivals.count >= times.count else {
        throw ServiceProcess.Failed(description: "\(times.count) calls gave \(arrivals.count) wakes")
      }
      for (call, arrival) in zip(times.sorted(), arrivals) {
        latencies.append((arrival - called[call]) / .milliseconds(1))
      }
    }
    latencies.sort()
    let note =
      "\(latencies.count) calls, \(Self.perSecond) a second over \(Self.stacks) stacks, nothing merged"
    report.add("hook call to the wake on the wire, p50", latencies[latencies.count / 2], "ms", note)
    report.add("hook call to the wake on the wire, p95", latencies[latencies.count * 95 / 100], "ms")
    report.add(
      "hook call to the wake on the wire, p99", latencies[latencies.count * 99 / 100], "ms",
      "goal 5; the machine's host took \(stolenMilliseconds) ms of its cores meanwhile, 10 ms or more at a time"
    )
  }

  private static let tickMilliseconds = 1_000 / Int(sysconf(Int32(_SC_CLK_TCK)))

  /// Time that the host gave to other machines, of all cores: `steal` of `/proc/stat`.
  private static func stolenTicks() throws -> Int {
    let line = try String(contentsOfFile: "/proc/stat", encoding: .utf8).prefix { $0 != "\n" }
    let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
    return numbers.count > 7 ? numbers[7] : 0
  }

  private func wait(for count: Int, at sink: WireSink) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while sink.count < count {
      guard ContinuousClock.now < deadline else {
        throw ServiceProcess.Failed(description: "\(sink.count) of \(count) wakes came")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Makes `count` calls in turn, one each millisecond; when each began.
  private static func call(
    _ calls: [[UInt8]], port: Int, count: Int
  ) throws -> [ContinuousClock.Instant] {
    let (ended, done) = (DispatchGroup(), Calls())
    let start = ContinuousClock.now + .milliseconds(50)
    for caller in 0..<callers {
      ended.enter()
      Thread {
        let socket = LoopbackAddress.connect(port: port)
        for number in stride(from: caller, to: count, by: callers) {
          let wanted = start + .seconds(1) * number / perSecond
          let ahead = (wanted - .now) / .microseconds(1)
          if ahead > 0 { usleep(UInt32(ahead)) }
          let began = ContinuousClock.now
          guard exchange(calls[number % calls.count], on: socket) else { break }
          done.began.withLock { $0[number] = began }
        }
        close(socket)
        ended.leave()
      }.start()
    }
    ended.wait()
    let began = done.began.withLock { $0 }
    guard began.count == count else {
      throw ServiceProcess.Failed(description: "\(began.count) of \(count) hook calls were taken")
    }
    return (0..<count).compactMap { began[$0] }
  }

  private final class Calls: Sendable {
    let began = Mutex<[Int: ContinuousClock.Instant]>([:])
  }

  /// Whether the call was answered with 202. The answer is short, and comes in one piece.
  private static func exchange(_ call: [UInt8], on socket: Int32) -> Bool {
    var answer = [UInt8](repeating: 0, count: 4_096)
    guard write(socket, call, call.count) == call.count else { return false }
    let length = read(socket, &answer, answer.count)
    return length > 0 && answer.starts(with: "HTTP/1.1 202 ".utf8)
  }
}
