import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let device = [deviceList, deviceFind, deviceRevoke, deviceTest]

  private static let deviceList = Command(
    "device list", summary: "list the devices and their state",
    options: [Option("--stack", "STACK", help: "only this stack's")]
  ) { invocation throws(CommandError) in
    let name = invocation.value("--stack")
    let devices = try await invocation.withStore { store throws(RegistryError) in
      var stack: StackID?
      if let name { stack = try await store.stack(matching: name).id }
      var devices: [Device] = []
      while true {
        let page = try await store.devices(stack: stack, after: devices.last?.id, limit: Limits.pageRows)
        devices += page
        if page.count < Limits.pageRows { return devices }
      }
    }
    try invocation.answer(
      .array(devices.map(Presentation.listedDevice)),
      people: table(devices, empty: "no device yet: `wake pair STACK` adds one"))
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
    let devices = try await invocation.withStore { store throws(RegistryError) in
      try await store.devices(holding: endpoint)
    }
    try invocation.answer(
      .array(devices.map(Presentation.listedDevice)),
      people: table(devices, empty: "no device holds this endpoint"))
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
    "device test", ["DEVICE"], summary: "send a test wake and show the push server's answer",
    discussion: "Goes through the running server. Fails unless the push server took the wake."
  ) { invocation throws(CommandError) in
    let id = try id(invocation.operands[0])
    let attempt = try await AdminClient(invocation.configuration()).post("/v1/admin/devices/\(id)/test")
    let outcome = attempt["outcome"]?.word ?? "unknown"
    let line = [
      "device \(id): \(outcome)", attempt["status"]?.word.map { "status \($0)" },
      attempt["pushServer"]?.word.map { "from \($0)" }, attempt["reason"]?.word,
    ].compactMap { $0 }.joined(separator: ", ")
    try invocation.answer(.object(attempt), people: [line])
    if outcome != AttemptOutcome.accepted.rawValue {
      throw .failed("the test wake was not accepted: \(line)")
    }
  }

  private static func id(_ text: String) throws(CommandError) -> DeviceID {
    guard let id = DeviceID(text) else {
      throw .usage("a device's id is 26 characters of a-z and 2-7; `wake device list` shows them")
    }
    return id
  }

  private static func table(_ devices: [Device], empty: String) -> [String] {
    Table.lines(
      ["DEVICE", "STACK", "LABEL", "STATE", "PUSH SERVER", "ENDPOINT", "LAST WAKE", "LAST RECEIPT"],
      devices.map {
        [
          $0.id.text, $0.stackLabel, $0.label, $0.state.rawValue, $0.pushServer, $0.endpointDigest,
          $0.lastWakeAt.map(Presentation.time), $0.lastReceiptAt.map(Presentation.time),
        ]
      }, empty: empty)
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
