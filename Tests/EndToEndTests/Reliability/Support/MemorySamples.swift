import Foundation
import Synchronization

/// Resident memory of a process over time.
final class MemorySamples: Sendable {
  private let pid: pid_t
  private let pause: Duration
  private let begin = ContinuousClock.now
  private let samples = Mutex<[(hours: Double, mebibytes: Double)]>([])

  init(of pid: pid_t, each pause: Duration) { (self.pid, self.pause) = (pid, pause) }

  /// Looks until its task is cancelled.
  func run() async {
    repeat {
      guard let use = try? ProcessUse(of: pid) else { return }
      let hours = begin.duration(to: .now) / .seconds(3_600)
      samples.withLock { $0.append((hours, Double(use.kibibytes) / 1_024)) }
    } while (try? await Task.sleep(for: pause)) != nil
  }

  /// MiB when it was looked at last.
  var last: Int { samples.withLock { Int($0.last?.mebibytes ?? 0) } }

  /// Means in MiB of the tenths of the time, which tell a step from a slope.
  var tenths: [Double] {
    let all = samples.withLock { $0.map(\.mebibytes) }
    guard all.count >= 10 else { return all }
    return (0..<10).map { tenth in
      let part = all[all.count * tenth / 10..<all.count * (tenth + 1) / 10]
      return part.reduce(0, +) / Double(part.count)
    }
  }

  /// The slope of the line through the second half of the samples that leaves the least squares.
  var mebibytesPerHour: Double {
    let half = samples.withLock { Array($0.suffix($0.count / 2)) }
    guard half.count > 1 else { return 0 }
    let meanHours = half.reduce(0) { $0 + $1.hours } / Double(half.count)
    let meanMebibytes = half.reduce(0) { $0 + $1.mebibytes } / Double(half.count)
    let above = half.reduce(0) { $0 + ($1.hours - meanHours) * ($1.mebibytes - meanMebibytes) }
    let below = half.reduce(0) { $0 + ($1.hours - meanHours) * ($1.hours - meanHours) }
    return below > 0 ? above / below : 0
  }
}
