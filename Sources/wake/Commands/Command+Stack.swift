import EndpointRegistry
import KindCatalogue
import StrictJSON
import WakeServer

extension Command {
  static let stack = [stackAdd, stackList, stackShow, stackRename, stackKinds, stackSet, stackRemove]

  private static let stackAdd = Command(
    "stack add", ["LABEL"], summary: "add a stack; shows its hook token, once",
    discussion: """
      Makes the store where there is none. The hook token is for the stack's core; it is shown this once.
      --id keeps the identity that the stack already has: 8 to 64 characters of A-Z, a-z, 0-9, _ and -.
      """,
    options: [
      Option("--id", "ID", help: "the stack's own id; one is made otherwise"),
      Option("--kinds", "A,B", help: "the kinds that its core raises (all of them)"),
    ]
  ) { invocation throws(CommandError) in
    let label = try Self.label(invocation.operands[0])
    let id = try invocation.value("--id").map(Self.stackID)
    let kinds = try invocation.value("--kinds").map(Kind.list) ?? Kind.allCases
    let now = invocation.now
    let added = try await invocation.withStore(create: true) { store throws(RegistryError) in
      try await store.addStack(id: id, label: label, kinds: kinds, hookTokenName: "core", at: now)
    }
    let stack = added.stack
    try invocation.answer(
      [
        "stack": .string(stack.id.text), "label": .string(stack.label),
        "kinds": Presentation.names(stack.kinds),
        "hookToken": .string(added.hookToken.text), "vapidPublicKey": .string(stack.vapidPublicKey),
      ],
      people: [
        "stack       \(stack.id)", "label       \(stack.label)", "kinds       \(stack.kindNames)",
        "VAPID key   \(stack.vapidPublicKey)", "hook token  \(added.hookToken.text)", "",
        "Give the hook token to the stack's core now: it is not shown again.",
        "Next: `wake pair \(stack.id)` adds a phone.",
      ])
  }

  private static let stackList = Command("stack list", summary: "list the stacks") {
    invocation throws(CommandError) in
    let stacks = try await invocation.withStore { store throws(RegistryError) in try await store.stacks() }
    try invocation.answer(
      .array(stacks.map(Presentation.ownStack)),
      people: Table.lines(
        ["STACK", "LABEL", "KINDS"], stacks.map { [$0.id.text, $0.label, $0.kindNames] },
        empty: "no stack yet: `wake stack add LABEL` adds one"))
  }

  private static let stackShow = Command("stack show", ["STACK"], summary: "show one stack") {
    invocation throws(CommandError) in
    let name = invocation.operands[0]
    let stack = try await invocation.withStore { store throws(RegistryError) in
      try await store.stack(matching: name)
    }
    try invocation.answer(
      Presentation.ownStack(stack),
      people: [
        "stack       \(stack.id)", "label       \(stack.label)", "kinds       \(stack.kindNames)",
        "catalogue   \(stack.catalogueVersion)", "VAPID key   \(stack.vapidPublicKey)",
        "window      \(stack.windowForPeople)", "quiet       \(stack.quietForPeople)",
      ])
  }

  private static let stackRename = Command(
    "stack rename", ["STACK", "LABEL"], summary: "call a stack something else; its id stays"
  ) { invocation throws(CommandError) in
    let name = invocation.operands[0]
    let label = try Self.label(invocation.operands[1])
    let stack = try await invocation.withStore { store throws(RegistryError) in
      try await store.setLabel(label, of: store.stack(matching: name).id)
    }
    try invocation.answer(
      Presentation.ownStack(stack), people: ["\(stack.id) is called \(stack.label) from now on"])
  }

  private static let stackKinds = Command(
    "stack kinds", ["STACK", "A,B"], summary: "say which kinds a stack raises"
  ) { invocation throws(CommandError) in
    let name = invocation.operands[0]
    let kinds = try Kind.list(invocation.operands[1])
    let stack = try await invocation.withStore { store throws(RegistryError) in
      try await store.setKinds(kinds, of: store.stack(matching: name).id)
    }
    try invocation.answer(Presentation.ownStack(stack), people: ["\(stack.label) raises \(stack.kindNames)"])
  }

  private static let stackSet = Command(
    "stack set", ["STACK"], summary: "say how often and for what a stack wakes",
    discussion: """
      In one window a device gets one wake at most: the first alert's at once, one for all later ones at its end.
      A quiet kind is kept and wakes nobody, unless the core asks for it (`"wake": true`).
      """,
    options: [
      Option("--window", "SECONDS", help: "0 to \(Limits.windowSeconds), or default for the service's own"),
      Option("--quiet", "KIND", help: "\(quietKinds.map(\.name).joined(separator: ", ")), or none"),
    ]
  ) { invocation throws(CommandError) in
    let name = invocation.operands[0]
    let window = try invocation.value("--window").map(Self.window)
    let quiet = try invocation.value("--quiet").map(Self.quiet)
    guard window != nil || quiet != nil else { throw .usage("say --window SECONDS or --quiet KIND, or both") }
    let stack = try await invocation.withStore { store throws(RegistryError) in
      var stack = try await store.stack(matching: name)
      if let window { stack = try await store.setWindow(window, of: stack.id) }
      if let quiet { stack = try await store.setQuiet(quiet, of: stack.id) }
      return stack
    }
    try invocation.answer(
      Presentation.ownStack(stack),
      people: ["\(stack.label): window \(stack.windowForPeople), quiet \(stack.quietForPeople)"])
  }

  private static let quietKinds = Kind.allCases.filter(\.mayBeQuiet)

  /// Seconds; a nil inside for the service's own.
  private static func window(_ text: String) throws(CommandError) -> Int? {
    if text == "default" { return nil }
    guard let seconds = WholeNumber.parse(text, in: 0...Limits.windowSeconds) else {
      throw .usage("--window must be seconds from 0 to \(Limits.windowSeconds), digits only, or default")
    }
    return seconds
  }

  private static func quiet(_ text: String) throws(CommandError) -> [Kind] {
    if text == "none" { return [] }
    guard let kind = Kind(exactly: text), kind.mayBeQuiet else {
      throw .usage("--quiet must be \(quietKinds.map(\.name).joined(separator: ", ")), or none")
    }
    return [kind]
  }

  private static let stackRemove = Command(
    "stack remove", ["STACK"], summary: "remove a stack with its devices, alerts and tokens"
  ) { invocation throws(CommandError) in
    let name = invocation.operands[0]
    let stack = try await invocation.withStore { store throws(RegistryError) in
      let stack = try await store.stack(matching: name)
      try await store.removeStack(stack.id)
      return stack
    }
    try invocation.answer(
      ["stack": .string(stack.id.text), "removed": true], people: ["removed \(stack.label) (\(stack.id))"])
  }

  private static func label(_ text: String) throws(CommandError) -> String {
    guard !text.isEmpty, text.utf8.count <= Limits.labelOctets, text.unicodeScalars.allSatisfy(\.isOnOneLine)
    else {
      throw .usage("a label is one line of 1 to \(Limits.labelOctets) octets")
    }
    return text
  }

  private static func stackID(_ text: String) throws(CommandError) -> StackID {
    guard let id = StackID(text) else {
      throw .usage("--id must be 8 to 64 characters of A-Z, a-z, 0-9, _ and -")
    }
    return id
  }
}

extension Stack {
  /// The window for people.
  var windowForPeople: String { windowSeconds.map { "\($0) s" } ?? "as the service has it" }
  /// Which kinds wake nobody unless asked, for people.
  var quietForPeople: String { quiet.isEmpty ? "none" : quiet.map(\.name).joined(separator: ", ") }
  /// The kinds for people.
  var kindNames: String { kinds.isEmpty ? "none" : kinds.map(\.name).joined(separator: ", ") }
}
