import Foundation
import StrictJSON

/// Measures what the service does, beside the limit or the bare thing where there is one.
///
/// Everything of one run is measured on one machine, one thing after the other. Ratios carry over to other machines,
/// absolute figures do not.
@main
struct WakeBench {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard let options = Options(arguments) else {
      FileHandle.standardError.write(Data(Options.usage.utf8))
      exit(2)
    }
    var report = Report()
    // Peers need what scripts/bench-peers installs.
    let sections = options.only.map { [$0] } ?? Section.allCases.filter { $0 != .peers }
    for section in sections { try await run(section, options, &report) }
    print(options.json ? report.document.text : report.table)
  }

  private static func run(_ section: Section, _ options: Options, _ report: inout Report) async throws {
    switch section {
    case .encryption: try EncryptionBench(seconds: options.seconds).run(&report)
    case .service: try await ServiceBench(options: options).run(&report)
    case .delivery:
      try await DeliveryBench(options: options).run(&report)
      try await FirstWakeBench(seconds: options.seconds).run(&report)
      try await OriginsBench(origins: options.origins).run(&report)
    case .isolation: try await IsolationBench().run(&report)
    case .storm: try await StormBench(options: options).run(&report)
    case .streams: try await StreamBench(options: options).run(&report)
    case .slow: try await SlowBench().run(&report)
    case .registry: try await RegistryBench(options: options).run(&report)
    case .peers: try await PeerBench(options: options).run(&report)
    }
  }
}

/// What is measured by itself with `--…-only`, in the order of a whole run.
enum Section: String, CaseIterable {
  case encryption, service, delivery, isolation, storm, streams, slow, registry, peers
}
