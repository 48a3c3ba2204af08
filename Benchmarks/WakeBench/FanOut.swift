import Foundation

/// The whole service on one push server over TLS: devices registered once, and one hook call for each fan-out.
final class FanOut {
  let devices: Int
  private let sink: NginxSink
  private let service: WokenService

  /// Registers the devices and waits for their activation wakes.
  init(devices: Int, to sink: NginxSink) async throws {
    self.devices = devices
    self.sink = sink
    service = try WokenService(pushAllow: sink.origin, trusting: sink.tls.certificate)
    let stack = try service.addStacks(1)[0]
    let (origin, before) = (sink.origin, try await sink.count())
    try await Registrar(service: service.process).register(
      devices, stack: { _ in stack }, endpoint: { "\(origin)/up/\($0)" })
    _ = try await sink.wait(for: before + devices)
  }

  /// Wakes all devices: how long until the last wake had come, and the service's processor time meanwhile, in seconds.
  func run() async throws -> (duration: Duration, processorSeconds: Double) {
    // The rows of the last run are completed behind its last answer.
    try await Task.sleep(for: .milliseconds(500))
    let (before, used) = (try await sink.count(), try service.process.processorSeconds)
    let start = ContinuousClock.now
    try await service.raise(0)
    let end = try await sink.wait(for: before + devices)
    return (end - start, try service.process.processorSeconds - used)
  }

  var peakMebibytes: Double { get throws { try service.process.peakMebibytes } }

  func end() { service.process.end() }
}
