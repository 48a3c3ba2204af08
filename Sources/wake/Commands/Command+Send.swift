import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let send = Command(
    "send", ["STACK", "KIND"], summary: "raise an alert, as the stack's core would",
    discussion: "Goes through the running server; `wake kinds` lists the kinds.",
    options: [
      Option("--event", "EVENT", help: "the core's own name for it: vpn.leak"),
      Option("--ref", "REF", help: "what it is about: a repeat of one REF and MOMENT wakes nobody"),
      Option("--moment", "MOMENT", help: Moment.allCases.map(\.rawValue).joined(separator: ", ")),
      Option("--alert", "JSON", help: "an object for the companion to read"),
      Option("--no-wake", help: "keep the alert and wake nobody"),
      Option("--wake", help: "wake, also where the stack keeps this kind quiet"),
    ]
  ) { invocation throws(CommandError) in
    let wake: Bool?
    switch (invocation.value("--wake") != nil, invocation.value("--no-wake") != nil) {
    case (true, true): throw .usage("--wake and --no-wake exclude each other")
    case (true, false): wake = true
    case (false, true): wake = false
    case (false, false): wake = nil
    }
    let configuration = try invocation.configuration()
    let name = invocation.operands[0]
    let stack = try await invocation.withStore { store throws(RegistryError) in
      try await store.stack(matching: name)
    }
    var body: JSONObject = ["kind": .string(invocation.operands[1])]
    for member in ["event", "ref", "moment"] {
      if let value = invocation.value("--\(member)") { body[member] = .string(value) }
    }
    if let text = invocation.value("--alert") {
      guard let alert = try? StrictJSON.parse(Array(text.utf8)) else {
        throw .usage("--alert must be a JSON object: '{\"disk\":\"sda\"}'")
      }
      body["alert"] = alert
    }
    if let wake { body["wake"] = .bool(wake) }
    let alert = body
    let answer = try await ProgressBar(invocation).whileWaiting(
      for: "the server", upTo: AdminClient.answerMilliseconds / 1_000
    ) { () throws(CommandError) in
      try await AdminClient(configuration).post("/v1/admin/stacks/\(stack.id)/alerts", body: .object(alert))
    }
    try invocation.answer(
      .object(answer),
      people: [
        "alert \(answer["id"]?.word ?? "?") is kept; "
          + "\(Table.count(answer["devices"]?.integer.map { Int($0) } ?? 0, "device")) to wake"
      ])
  }
}
