import EndpointRegistry
import KindCatalogue
import StrictJSON
import WakeServer

extension Command {
  static let device = [deviceList, deviceFind, deviceMute, deviceRevoke, deviceTest]

  /// After how long without a receipt a device counts as silent for long.
  private static let staleDays: Int64 = 30
  private static let staleOption = Option(
    "--stale", help: "only those without a receipt for \(staleDays) days")

  private static let deviceList = Command(
    "device list", summary: "list the devices and their state",
    options: [Option("--stack", "STACK", help: "only this stack's"), staleOption]
  ) { invocation throws(CommandError) in
    let name = invocation.value("--stack")
    var filter = DeviceFilter()
    if invocation.has(staleOption) { filter.silentSince = invocation.now - staleDays * Retention.day }
    var list = DeviceList(invocation: invocation)
    let everything = filter
    // Page by page: the first rows come at once, whatever their number.
    list = try await invocation.withOpenStore { store throws(CommandError) in
      var (filter, list) = (everything, list)
      do throws(RegistryError) {
        if let name { filter.stack = try await store.stack(matching: name).id }
      } catch { throw CommandError(error) }
      var page: [Device]
      repeat {
        let faulty: Set<DeviceID>
        do throws(RegistryError) {
          page = try await store.devices(filter, after: list.last, limit: Limits.pageRows)
          faulty = try await store.faulty(among: page)
        } catch { throw CommandError(error) }
        try list.add(page, faulty: faulty)
      } while page.count == Limits.pageRows
      return list
    }
    try list.end(
      empty: filter.silentSince == nil ? "no device yet: `wake pair STACK` adds one" : "none is stale")
  }

  private static let deviceMute = Command(
    "device mute", ["DEVICE", "A,B"],
    summary: "say which kinds do not wake a device; `none` wakes it for all",
    discussion: """
      Mutes affect wakes and never what the device reads. They save its battery, and they let its push server guess
      kinds: it sees for which alerts no wake came. Leave it to the app to ask for them.
      """
  ) { invocation throws(CommandError) in
    let id = try id(invocation.operands[0])
    let list = invocation.operands[1]
    let kinds = list == "none" ? [] : try Kind.list(list)
    let now = invocation.now
    let device = try await invocation.withStore { store throws(RegistryError) in
      try await store.updateDevice(id, DeviceChange(muted: .set(kinds)), at: now).device
    }
    try invocation.answer(
      Presentation.listedDevice(device, at: now),
      people: [
        device.muted.isEmpty
          ? "\(id) is woken for every kind"
          : "\(id) is not woken for \(device.muted.map(\.name).joined(separator: ", "))"
      ])
  }

  private static let deviceFind = Command(
    "device find", ["-"], summary: "find devices by an endpoint read from standard input",
    discussion:
      "An endpoint is a secret: it is read from standard input, so that no list of processes shows it."
  ) { invocation throws(CommandError) in
    guard invocation.operands[0] == "-" else {
      throw .usage("give the endpoint on standard input: `wake device find - < FILE`")
    }
    guard let endpoint = readLine(strippingNewline: true), !endpoint.isEmpty else {
      throw .usage("standard input holds no endpoint")
    }
    let (devices, faulty) = try await invocation.withStore { store throws(RegistryError) in
      let devices = try await store.devices(holding: endpoint)
      return (devices, try await store.faulty(among: devices))
    }
    var found = DeviceList(invocation: invocation)
    try found.add(devices, faulty: faulty)
    try found.end(empty: "no device holds this endpoint")
  }

  private static let deviceRevoke = Command(
    "device revoke", ["DEVICE"], summary: "end a registration and its token"
  ) { invocation throws(CommandError) in
    let id = try id(invocation.operands[0])
    let now = invocation.now
    try await invocation.withStore { store throws(RegistryError) in try await store.removeDevice(id, at: now)
    }
    try invocation.answer(
      ["device": .string(id.text), "revoked": true], people: ["revoked \(id); it must pair again"])
  }

  private static let deviceTest = Command(
    "device test", ["DEVICE"], summary: "send a test wake, and say whether it arrived",
    discussion: """
      Goes through the running server. Fails unless the push server took the wake. That it arrived is known when the
      phone hands back its receipt, which the command waits for; not every app does.
      """,
    options: [Option("--wait", "SECONDS", help: "how long to wait for the receipt (\(receiptPatience))")],
    settings: Setting.ofServer
  ) { invocation throws(CommandError) in
    let id = try id(invocation.operands[0])
    let patience =
      try invocation.number("--wait", "seconds", in: 0...receiptPatienceMaximum) ?? receiptPatience
    let admin = AdminClient(try invocation.configuration())
    let bar = ProgressBar(invocation)
    var attempt = try await bar.whileWaiting(
      for: "the push server", upTo: AdminClient.wakeMilliseconds / 1_000
    ) { () throws(CommandError) in try await admin.wake("/v1/admin/devices/\(id)/test") }
    let outcome = attempt["outcome"]?.word ?? "unknown"
    if outcome == AttemptOutcome.accepted.rawValue, let number = attempt["id"]?.word {
      let sent = attempt
      attempt = try await bar.whileWaiting(for: "the phone", upTo: patience) { () throws(CommandError) in
        try await receipted(sent, number, of: id, within: patience, admin)
      }
    }
    let receipt = attempt["receiptAt"]?.word.map { "the phone confirmed it at \(LocalTime.words(of: $0))" }
    let line = [
      "device \(id): \(outcome)", attempt["status"]?.word.map { "status \($0)" },
      attempt["pushServer"]?.word.map { "from \($0)" }, attempt["reason"]?.word,
      outcome == AttemptOutcome.accepted.rawValue && patience > 0
        ? receipt ?? "no receipt within \(patience) s" : receipt,
    ].compactMap { $0 }.joined(separator: ", ")
    let explanation = attempt["explanation"]
    let advice = [explanation?["cause"]?.word, explanation?["fix"]?.word.map { "What to do: \($0)" }]
    try invocation.answer(.object(attempt), people: [line] + advice.compactMap { $0 })
    if outcome != AttemptOutcome.accepted.rawValue {
      throw .failed("the test wake was not accepted: \(line)")
    }
  }

  /// Seconds for which a test waits for the phone where nobody says otherwise.
  private static let receiptPatience = 5
  private static let receiptPatienceMaximum = 3_600
  private static let receiptPause = Duration.milliseconds(200)

  /// The attempt with the time of its receipt, or as it was where none came.
  private static func receipted(
    _ attempt: JSONObject, _ number: String, of device: DeviceID, within seconds: Int, _ admin: AdminClient
  ) async throws(CommandError) -> JSONObject {
    let end = ContinuousClock.now + .seconds(seconds)
    while ContinuousClock.now < end {
      let page = try await admin.get("/v1/admin/attempts?device=\(device)&limit=50")
      if case .array(let rows)? = page["attempts"],
        case .object(let row)? = rows.first(where: { $0["id"]?.word == number }), row["receiptAt"] != .null
      {
        return row
      }
      try? await Task.sleep(for: receiptPause)
    }
    return attempt
  }

  private static func id(_ text: String) throws(CommandError) -> DeviceID {
    guard let id = DeviceID(text) else {
      throw .usage("a device's id is 26 characters of a-z and 2-7; `wake device list` shows them")
    }
    return id
  }
}

extension JSONValue {
  /// A string or a whole number as people read it.
  var word: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): "\(number)"
    default: nil
    }
  }
}
