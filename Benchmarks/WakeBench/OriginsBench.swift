import Foundation

/// One hook call to devices that each have a push server of their own, so that every wake needs a TLS handshake: beside
/// handshakes alone with the same servers.
struct OriginsBench {
  let origins: Int

  private static let turns = 3

  func run(_ report: inout Report) async throws {
    // No connection is kept, and no session is resumed.
    let sink = try await NginxSink(ports: origins, keepsIdleSeconds: 0)
    defer { sink.end() }
    let service = try WokenService(pushAllow: "127.0.0.1/32", trusting: sink.tls.certificate)
    defer { service.process.end() }
    let stack = try service.addStacks(1)[0]
    let names = (0..<origins).map { sink.origin($0) }
    let before = try await sink.count()
    try await Registrar(service: service.process).register(
      origins, stack: { _ in stack }, endpoint: { "\(names[$0])/up/\($0)" })
    _ = try await sink.wait(for: before + origins)
    let limit = HandshakeLimit(caFile: sink.tls.certificate.path, ports: sink.ports)
    var (wakes, handshakes) = (Turns(), Turns())
    for _ in 0..<Self.turns {
      try await Task.sleep(for: .milliseconds(500))  // until the rows of the last turn are complete
      let expected = try await sink.count() + origins
      let start = ContinuousClock.now
      try await service.raise(0)
      wakes.add(origins, try await sink.wait(for: expected) - start)
      handshakes.add(origins, .seconds(Double(origins) / (try limit.run())))
    }
    report.add(
      "TLS handshakes alone", handshakes.perSecond, "handshakes/s",
      "\(origins) servers, a thread for each core, no resumption")
    report.add(
      "wakes to \(origins) push servers", wakes.perSecond, "wakes/s",
      String(format: "%.2f of the handshakes; goal 0.8", wakes.perSecond / handshakes.perSecond))
    report.add(
      "most resident memory of the service", try service.process.peakMebibytes, "MiB",
      "\(origins) push servers; goal 200")
  }
}
