import CryptoPrimitives
import Foundation
import WebPushCrypto

/// What a user would pick instead, beside this service and beside the limits: same keys, same sinks, same cores, one run.
struct PeerBench {
  private static let connections = DeliveryBench.connections
  private static let turns = 3
  /// Messages of a peer in one turn.
  private static let sent = 2_000
  private static let loadRequests = 100_000
  /// What the whole service is measured against (a goal), by its name in `peers.py`.
  private static let measure = "pywebpush, asynchronous"

  let options: Options

  func run(_ report: inout Report) async throws {
    let sink = try await NginxSink()
    defer { sink.end() }
    let program = try PeerProgram(messages: BareMessages(), trusting: sink.tls.certificate)
    let peers = try program.peers()
    try encryption(program, peers.filter(\.encrypts), &report)
    try await sending(program, peers.filter(\.sends), sink, &report)
    try await http2(program, &report)
  }

  private func encryption(_ program: PeerProgram, _ peers: [PeerProgram.Peer], _ report: inout Report) throws
  {
    let keys = program.messages.phone.keys
    let limit = try ScalarLimit(peer: keys.uaPublic.uncompressed)
    var (bare, ours) = (Rate(), Rate())
    var theirs: [String: [Double]] = [:]
    for _ in 0..<Self.turns {
      for _ in 0..<10 {
        bare.measure { limit.message() }
        try ours.measure {
          _ = try WebPushMessage.encrypt(program.messages.plaintext, for: keys, bodyLength: 256)
        }
      }
      for peer in peers {
        guard let rate = try program.encryptionsPerSecond(peer, seconds: 1) else { continue }
        theirs[peer.name, default: []].append(rate)
      }
    }
    func add(_ name: String, _ rate: Double, _ note: String = "") {
      report.add(
        "encryption: \(name)", rate, "messages/s",
        String(format: "%.2f of the limit", rate / bare.perSecond) + note)
    }
    report.add("encryption: two bare multiplications", bare.perSecond, "messages/s", "the limit, one core")
    let rates = theirs.mapValues(Self.mean)
    let fastest = rates.values.max().map {
      String(format: ", %.2f of the fastest peer; goals 0.9 and 1.6", ours.perSecond / $0)
    }
    add("wake", ours.perSecond, fastest ?? "")
    for peer in peers { if let rate = rates[peer.name] { add(peer.name, rate) } }
  }

  private func sending(
    _ program: PeerProgram, _ peers: [PeerProgram.Peer], _ sink: NginxSink, _ report: inout Report
  ) async throws {
    let devices = options.deliveryDevices
    let fanOut = try await FanOut(devices: devices, to: sink)
    defer { fanOut.end() }
    let loop = try program.messages.loop(
      to: sink.origin, trusting: sink.tls.certificate, connections: Self.connections)
    _ = try loop.send(devices / 10)
    var (service, bare) = (Turns(), Turns())
    var theirs = peers.map { (peer: $0, turns: Turns()) }
    for _ in 0..<Self.turns {
      let wakes = try await fanOut.run()
      service.add(devices, wakes.duration, processorSeconds: wakes.processorSeconds)
      let used = DeliveryBench.processorSeconds
      let duration = try loop.send(devices)
      bare.add(devices, duration, processorSeconds: DeliveryBench.processorSeconds - used)
      for index in theirs.indices {
        try program.send(
          theirs[index].peer, to: sink.origin, count: Self.sent, connections: Self.connections,
          addingTo: &theirs[index].turns)
      }
    }
    let limit = try LoadTool.perSecond(
      "\(sink.origin)/up/0", body: program.messages.body(), connections: Self.connections,
      count: Self.loadRequests)
    report.add("HTTP/1.1, nginx: h2load, nothing encrypted", limit, "requests/s", "the limit for sending")
    func add(_ name: String, _ turns: Turns, _ unit: String, _ note: String) {
      report.add(
        "HTTP/1.1, nginx: \(name)", turns.perSecond, unit,
        String(format: "%.0f µs of processor time; ", turns.microsecondsEach) + note)
    }
    add("a bare libcurl loop", bare, "messages/s", "encrypted on all cores")
    var note = String(format: "%.2f of the bare loop, goal 0.8", service.perSecond / bare.perSecond)
    if let measure = theirs.first(where: { $0.peer.name == Self.measure })?.turns, !measure.isEmpty {
      note += String(
        format: "; %.1f times pywebpush's asynchronous, goal 4", service.perSecond / measure.perSecond)
    }
    add("wake, the whole service", service, "wakes/s", note)
    for (peer, turns) in theirs where !turns.isEmpty {
      add(
        peer.name, turns, "messages/s", String(format: "%.2f of wake", turns.perSecond / service.perSecond))
    }
    report.add("most resident memory of the service", try fanOut.peakMebibytes, "MiB", "goal 200")
  }

  /// None of the peers speaks HTTP/2, and neither does the service (ADR 0002): this is what it would bring.
  private func http2(_ program: PeerProgram, _ report: inout Report) async throws {
    let sink = try await NghttpSink()
    defer { sink.end() }
    let streams = 100
    let loop = try program.messages.loop(
      to: sink.origin, trusting: sink.tls.certificate, connections: streams, http2: true)
    let limit = try LoadTool.perSecond(
      "\(sink.origin)/up/0", body: program.messages.body(), connections: streams, count: Self.loadRequests,
      http2: true)
    report.add("HTTP/2, nghttpd: h2load, nothing encrypted", limit, "requests/s", "\(streams) streams")
    do {
      let rate = Double(options.deliveryDevices) / (try loop.send(options.deliveryDevices) / .seconds(1))
      report.add("HTTP/2, nghttpd: a bare libcurl loop", rate, "messages/s", "\(streams) streams")
    } catch let failed as BareLoop.Failed {
      report.add("HTTP/2, nghttpd: a bare libcurl loop", 0, "messages/s", "broke off: \(failed)")
    }
  }

  private static func mean(_ rates: [Double]) -> Double { rates.reduce(0, +) / Double(rates.count) }
}
