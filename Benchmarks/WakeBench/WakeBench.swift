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
    if options.encryptionOnly {
      try EncryptionBench(seconds: options.seconds).run(&report)
      return print(options.json ? report.document.text : report.table)
    }
    if options.serviceOnly {
      try await ServiceBench(options: options).run(&report)
      return print(options.json ? report.document.text : report.table)
    }
    if options.registryOnly {
      try await RegistryBench(options: options).run(&report)
      return print(options.json ? report.document.text : report.table)
    }
    if options.streamsOnly {
      try await StreamBench(options: options).run(&report)
      return print(options.json ? report.document.text : report.table)
    }
    if options.stormOnly {
      try await StormBench(options: options).run(&report)
      return print(options.json ? report.document.text : report.table)
    }
    try EncryptionBench(seconds: options.seconds).run(&report)
    try await ServiceBench(options: options).run(&report)
    try await StormBench(options: options).run(&report)
    try await StreamBench(options: options).run(&report)
    try await RegistryBench(options: options).run(&report)
    print(options.json ? report.document.text : report.table)
  }
}

/// What was asked for.
struct Options: Sendable {
  /// One JSON document instead of a table.
  var json = false
  /// Devices that are registered for the figures of memory and fan-out.
  var devices = 100_000
  /// Devices in the registry alone.
  var registryDevices = 1_000_000
  /// Nothing but encryption.
  var encryptionOnly = false
  /// Nothing but the hook, registrations and a fan-out.
  var serviceOnly = false
  /// Nothing but the registry.
  var registryOnly = false
  /// Nothing but the record and its streams.
  var streamsOnly = false
  /// Nothing but the storm.
  var stormOnly = false
  /// Devices of the stack that the storm comes from.
  var stormDevices = 10_000
  /// How long each rate is measured.
  var seconds = 5

  static let usage =
    """
    usage: WakeBench [--json] [--devices N] [--registry-devices N] [--storm-devices N]
                     [--encryption-only | --service-only | --registry-only | --streams-only | --storm-only] [--seconds N]

    """

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": json = true
      case "--devices":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        devices = number
      case "--registry-devices":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        registryDevices = number
      case "--encryption-only": encryptionOnly = true
      case "--service-only": serviceOnly = true
      case "--registry-only": registryOnly = true
      case "--streams-only": streamsOnly = true
      case "--storm-only": stormOnly = true
      case "--storm-devices":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        stormDevices = number
      case "--seconds":
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        seconds = number
      default: return nil
      }
    }
  }
}
