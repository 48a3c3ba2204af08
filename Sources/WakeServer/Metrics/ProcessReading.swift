internal import FoundationEssentials
internal import Glibc

/// What the system says of this process (proc(5)); what it does not say is left out.
struct ProcessReading: Sendable {
  private(set) var cpuSeconds: Double?
  private(set) var startSeconds: Double?
  private(set) var virtualOctets: Double?
  private(set) var residentOctets: Double?
  private(set) var openFiles: Double?
  private(set) var maximumFiles: Double?

  /// Reads it now.
  static func now() -> ProcessReading {
    var reading = ProcessReading(
      stat: text("/proc/self/stat"), systemStat: text("/proc/stat"),
      ticks: Double(sysconf(Int32(_SC_CLK_TCK))),
      pageOctets: Double(sysconf(Int32(_SC_PAGESIZE))))
    // Less the one that is open for the list itself.
    let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    reading.openFiles = files.map { Double($0.count - 1) }
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      reading.maximumFiles = Double(limit.rlim_cur)
    }
    return reading
  }

  /// Reads the texts of `/proc/self/stat` and `/proc/stat`.
  init(stat: String, systemStat: String, ticks: Double, pageOctets: Double) {
    // The name of the program, in brackets, may hold anything. The third field follows it.
    let fields = stat.split(separator: ")").last?.split(separator: " ").map { Double($0) } ?? []
    func field(_ number: Int) -> Double? { fields.indices.contains(number - 3) ? fields[number - 3] : nil }
    if let user = field(14), let system = field(15) { cpuSeconds = (user + system) / ticks }
    virtualOctets = field(23)
    residentOctets = field(24).map { $0 * pageOctets }
    let boot = systemStat.split(separator: "\n").first { $0.hasPrefix("btime ") }?.split(separator: " ").last
    if let boot = boot.flatMap({ Double($0) }), let start = field(22) { startSeconds = boot + start / ticks }
  }

  func write(to exposition: inout Exposition) {
    for (metric, value) in [
      (.processCPU, cpuSeconds), (.processOpenFiles, openFiles), (.processMaximumFiles, maximumFiles),
      (.processResidentMemory, residentOctets), (.processVirtualMemory, virtualOctets),
      (.processStart, startSeconds),
    ] as [(Metric, Double?)] {
      exposition.write(metric, value.map { [.init([], .number($0))] } ?? [])
    }
  }

  private static func text(_ path: String) -> String {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
