import EndpointRegistry
import StrictJSON
import WakeServer

/// What somebody else needs to help, and nothing that must not be public: no label, no path of an endpoint, no key, no
/// token, no alert.
struct HelpReport {
  /// Attempts that are summed up: the newest ones, some days of a busy stack.
  static let attemptsMaximum = 10_000
  /// Devices that are listed one by one; all are counted.
  static let devicesMaximum = 200
  /// Rows of sums: outcomes, statuses and push servers that occur.
  static let sumsMaximum = 200

  let invocation: Invocation
  /// Nil where a setting is wrong.
  let configuration: Configuration?
  let diagnosis: DoctorRun.Result

  /// The report, as far as the store can be read.
  func document() async -> JSONValue {
    var parts: [(String, JSONValue)] = [
      ("report", "wake doctor"), ("version", .string(Build.version)),
      ("at", .string(Presentation.time(invocation.now))), ("machine", Self.machine),
      ("configurationOf", diagnosis.summary["configuration"] == nil ? "command" : "server"),
      ("configuration", settings), ("doctor", findings),
    ]
    do throws(CommandError) {
      let now = invocation.now
      parts += try await invocation.withStore { store throws(RegistryError) in
        [
          ("attempts", try await Self.attempts(store)), ("devices", try await Self.devices(store, at: now)),
        ]
      }
    } catch {
      parts.append(("storeNotRead", Presentation.text(error.line)))
    }
    let whole = JSONValue.object(JSONObject(uniqueMembers: parts))
    return whole.mappingStrings(hider.hiding)
  }

  private static var machine: JSONValue {
    let system = SystemDescription.current
    return [
      "system": .string(system.name), "kernel": .string(system.kernel),
      "architecture": .string(system.architecture),
    ]
  }

  /// What the server that was examined works with; where none answered, what this command was told.
  private var settings: JSONValue {
    diagnosis.summary["configuration"] ?? configuration.map { SettingsInForce($0).json } ?? .null
  }

  /// The findings and what they come to.
  private var findings: JSONValue {
    var result = diagnosis
    result.summary["configuration"] = nil
    return result.document
  }

  /// What hides the places of files.
  private var hider: PlaceHider {
    let named = [
      (configuration?.databasePath, "<store>"), (configuration?.stateFolder.path, "<state>"),
      (invocation.workingFolder, PlaceHider.folder), (invocation.environment["HOME"], "<home>"),
    ].compactMap { path, word in path.map { (path: $0, word: word) } }
    let written =
      ((try? invocation.sources.get())?.paths ?? [])
      + [invocation.value(Option.config.flag)].compactMap { $0 }
    let closed = closedPlaces
    return PlaceHider(
      named: named + closed.map { (path: $0.path, word: "<closed>") }, files: written,
      owners: closed.compactMap(\.owner))
  }

  /// What the findings may say of whose the files are.
  private var closedPlaces: [ClosedPlace] {
    guard let configuration else { return [] }
    var paths = [configuration.stateFolder.path, configuration.databasePath]
    if case .file(let path) = configuration.serviceKey { paths.append(path) }
    return paths.map { ClosedPlace(refusing: $0) }
  }
}

extension HelpReport {
  /// The newest attempts, summed up by what came of them.
  private static func attempts(_ store: SQLiteStore) async throws(RegistryError) -> JSONValue {
    struct Row: Hashable {
      let pushServer: String
      let outcome: String
      let status: Int?
    }
    struct Sum {
      var count = 0
      var receipts = 0
      var newest: Attempt?
    }
    var sums: [Row: Sum] = [:]
    var (before, seen): (AttemptID?, Int) = (nil, 0)
    while seen < attemptsMaximum {
      let page = try await store.attempts(AttemptFilter(), before: before, limit: Limits.pageRows)
      for attempt in page {
        let row = Row(
          pushServer: attempt.pushServer ?? "", outcome: attempt.outcome.rawValue, status: attempt.status)
        var sum = sums[row] ?? Sum()
        sum.count += 1
        sum.receipts += attempt.receiptAt == nil ? 0 : 1
        sum.newest = sum.newest ?? attempt
        sums[row] = sum
      }
      (before, seen) = (page.last?.id, seen + page.count)
      if page.count < Limits.pageRows { break }
    }
    let ordered = sums.sorted { ($1.value.count, $0.key.pushServer) < ($0.value.count, $1.key.pushServer) }
    return .array(
      ordered.prefix(sumsMaximum).map { row, sum in
        [
          "pushServer": .string(row.pushServer), "outcome": .string(row.outcome),
          "status": Presentation.integer(row.status), "count": Presentation.integer(sum.count),
          "receipts": Presentation.integer(sum.receipts), "newest": Presentation.time(sum.newest?.at),
          "milliseconds": Presentation.integer(sum.newest?.milliseconds),
          "reason": Presentation.text(sum.newest?.reason),
        ]
      })
  }

  /// How many devices are in each state, and the first of those that are not confirmed.
  private static func devices(_ store: SQLiteStore, at: Int64) async throws(RegistryError) -> JSONValue {
    var counts: [DeviceState: Int] = [:]
    for stack in try await store.stacks() {
      counts.merge(try await store.delivery(of: stack.id, at: at).devices, uniquingKeysWith: +)
    }
    let listed = try await store.devices(DeviceFilter(), after: nil, limit: devicesMaximum)
    return [
      "states": .object(
        JSONObject(
          uniqueMembers: DeviceState.allCases.map { ($0.rawValue, Presentation.integer(counts[$0] ?? 0)) })),
      "listed": .array(
        listed.map { device in
          [
            "device": .string(device.id.text), "state": .string(device.state(at: at).rawValue),
            "pushServer": Presentation.text(device.pushServer), "temporary": .bool(device.temporary),
            "since": Presentation.time(device.since), "lastWake": Presentation.time(device.lastWakeAt),
            "lastReceipt": Presentation.time(device.lastReceiptAt),
          ]
        }),
    ]
  }
}
