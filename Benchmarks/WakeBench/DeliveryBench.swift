import Foundation

/// One hook call to many devices on one push server over TLS, beside a bare libcurl loop that encrypts and sends as many
/// messages to the same sink on the same cores, in turns.
struct DeliveryBench {
  /// Connections to one origin, as `PushSenderConfiguration` has them.
  static let connections = 20
  private static let turns = 3
  /// `h2load` is too fast to be measured on as few requests.
  private static let loadRequests = 100_000

  let options: Options

  func run(_ report: inout Report) async throws {
    let devices = options.deliveryDevices
    let sink = try await NginxSink()
    defer { sink.end() }
    let fanOut = try await FanOut(devices: devices, to: sink)
    defer { fanOut.end() }
    let messages = try BareMessages()
    let loop = try messages.loop(
      to: sink.origin, trusting: sink.tls.certificate, connections: Self.connections)
    // Both have their connections before anything is measured.
    _ = try loop.send(devices / 10)
    var (service, bare) = (Turns(), Turns())
    for _ in 0..<Self.turns {
      let wakes = try await fanOut.run()
      service.add(devices, wakes.duration, processorSeconds: wakes.processorSeconds)
      let used = Self.processorSeconds
      bare.add(devices, try loop.send(devices), processorSeconds: Self.processorSeconds - used)
    }
    let limit = try LoadTool.perSecond(
      "\(sink.origin)/up/0", body: messages.body(), connections: Self.connections, count: Self.loadRequests)
    report.add("sending alone, h2load over HTTP/1.1", limit, "requests/s", "the limit for sending")
    report.add(
      "encrypted and sent by a bare libcurl loop", bare.perSecond, "messages/s",
      "\(devices) messages, \(Self.connections) connections, nginx over TLS on the same cores")
    report.add("processor time of a message of the bare loop", bare.microsecondsEach, "µs")
    report.add(
      "wakes through the whole service", service.perSecond, "wakes/s",
      String(format: "%.2f of the bare loop; goal 0.8; a row each", service.perSecond / bare.perSecond))
    report.add("processor time of a wake", service.microsecondsEach, "µs")
    report.add("most resident memory of the service", try fanOut.peakMebibytes, "MiB", "goal 200")
  }

  /// Processor time of this process so far.
  static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}

/// Several turns of the same thing.
struct Turns {
  private var count = 0
  private var seconds = 0.0
  private var processorSeconds = 0.0

  mutating func add(_ count: Int, _ duration: Duration, processorSeconds: Double = 0) {
    self.count += count
    seconds += duration / .seconds(1)
    self.processorSeconds += processorSeconds
  }

  var isEmpty: Bool { count == 0 }
  var perSecond: Double { Double(count) / seconds }
  var microsecondsEach: Double { processorSeconds / Double(count) * 1_000_000 }
}
