import CryptoPrimitives
import EndpointRegistry
import Foundation
import KindCatalogue
import WakeServer
import WebPushCrypto

/// The registry with a million devices: registering them, finding them, and starting with them.
struct RegistryBench {
  let options: Options

  private static let stacks = 10_000
  /// Registrations under way at once, as many as a busy listener has requests.
  private static let registrars = 256
  private static let lookups = 20_000
  /// Devices that register between two sweeps of the codes that they used.
  private static let chunk = 10_000

  func run(_ report: inout Report) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "wake-bench-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try configuration(folder).openStore(create: true)
    let stacks = try await addStacks(store)
    let tokens = try await register(on: store, stacks, &report)
    try await lookUp(tokens, store, &report)
    try await fanOut(stacks, store, &report)
    await store.close()
    try await ServiceProcess.measureStart(folder, devices: options.registryDevices, &report)
  }

  private func configuration(_ folder: URL) throws -> Configuration {
    var sources = ConfigurationSources()
    sources.add(environment: ["WAKE_STATE_DIR": folder.path])
    return try Configuration(sources, environment: [:], workingFolder: "/")
  }

  private func addStacks(_ store: SQLiteStore) async throws -> [StackID] {
    try await inParallel(Self.stacks) { index in
      try await store.addStack(
        id: nil, label: "stack \(index)", kinds: Kind.allCases, hookTokenName: "core", at: 0
      ).stack.id
    }
  }

  /// Codes are made before the clock runs, and those that were used are swept when it has stopped: it is the
  /// registrations that are measured.
  private func register(
    on store: SQLiteStore, _ stacks: [StackID], _ report: inout Report
  ) async throws -> [Token] {
    let keys = try UserAgentKeys(
      uaPublic: P256PrivateKey.generate().publicKey, authSecret: RandomOctets.system(16))
    let chunk = min(Self.chunk, options.registryDevices)
    var times: [Duration] = []
    var tokens: [Token] = []
    for first in stride(from: 0, to: options.registryDevices, by: chunk) {
      let count = min(chunk, options.registryDevices - first)
      let now = WallClock.system.now()
      let codes = try await inParallel(count) { index in
        try await store.addPairing(
          stack: stacks[(first + index) % stacks.count], at: now, expiresAt: now + Limits.pairingMilliseconds)
      }
      let start = ContinuousClock.now
      let made = try await inParallel(count) { index in
        try await store.register(
          Registration(
            pairing: codes[index], client: .minted(.system),
            subscription: PushSubscription(
              endpoint: Endpoint(
                validatedURL: "https://push.example.net/up/\(first + index)?token=abcdefghijklmnop",
                origin: "https://push.example.net"), keys: keys), label: "phone"), at: now
        ).token
      }
      times.append(ContinuousClock.now - start)
      tokens += made.shuffled().prefix(1 + Self.lookups * count / options.registryDevices)
      while try await !store.sweep(Retention(), from: SweepPosition(), at: .max / 2).removed.isEmpty {}
    }
    let rate = { (times: ArraySlice<Duration>) in
      Double(times.count * chunk) / (times.reduce(.zero, +) / .seconds(1))
    }
    report.add(
      "registry: registrations", rate(times[...]), "devices/s",
      "\(options.registryDevices) devices on \(stacks.count) stacks, one process; goal 5000")
    report.add(
      "registry: registrations, the last tenth", rate(times.suffix(max(1, times.count / 10))), "devices/s")
    return tokens
  }

  private func lookUp(_ tokens: [Token], _ store: SQLiteStore, _ report: inout Report) async throws {
    var times: [Duration] = []
    for token in tokens.shuffled().prefix(Self.lookups) {
      let start = ContinuousClock.now
      guard case .device? = try await store.credential(for: token, at: 1) else {
        throw ServiceProcess.Failed(description: "a token is not known")
      }
      times.append(ContinuousClock.now - start)
    }
    add("registry: look-up by token", times, &report, "goal 1 ms for p99")
  }

  private func fanOut(_ stacks: [StackID], _ store: SQLiteStore, _ report: inout Report) async throws {
    var times: [Duration] = []
    let rules = WakeRules(windowMilliseconds: 30_000, freshMilliseconds: 3_600_000)
    for stack in stacks.shuffled().prefix(1_000) {
      _ = try await store.appendAlert(NewAlert(kind: Kind.allCases[0]), to: stack, at: 1)
      let start = ContinuousClock.now
      _ = try await store.pendingWakes(of: stack, rules: rules, after: nil, limit: 256, at: 1)
      times.append(ContinuousClock.now - start)
    }
    let each = options.registryDevices / stacks.count
    add(
      "registry: whom to wake of one stack", times, &report, "\(each) devices of \(options.registryDevices)")
  }

  private func add(_ name: String, _ times: [Duration], _ report: inout Report, _ note: String) {
    let sorted = times.sorted()
    for (part, index) in [("p50", sorted.count / 2), ("p99", sorted.count * 99 / 100)] {
      report.add("\(name), \(part)", sorted[index] / .milliseconds(1), "ms", note)
    }
  }

  private func inParallel<Value: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: [Value].self) { group in
      for registrar in 0..<Self.registrars {
        group.addTask {
          var values: [Value] = []
          for index in stride(from: registrar, to: count, by: Self.registrars) {
            values.append(try await work(index))
          }
          return values
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }
}
