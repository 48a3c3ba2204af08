import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let vapidKeys = [rotateKey]

  private static let statusOption = Option("--status", help: "only show how far a rotation has come")
  private static let retireOption = Option(
    "--retire-now", help: "end the replaced keys at once, and with them the subscriptions that hang on them")
  private static let yesOption = Option(
    "--yes", help: "cut off without being asked; needed without a terminal")

  private static let rotateKey = Command(
    "stack rotate-key", ["STACK"], summary: "give a stack a new VAPID key that cuts nobody off",
    discussion: """
      New subscriptions are made with the new key. A phone that is subscribed with an old one goes on with it until
      its app subscribes anew; an old key that nobody hangs on any more is retired by the running server, a day after
      it was replaced at the earliest.
      --retire-now makes no key: it ends those that were replaced. It says whom that cuts off, and asks; those phones
      get no wake until their app subscribes anew.
      """,
    options: [statusOption, retireOption, yesOption]
  ) { invocation throws(CommandError) in
    let name = invocation.operands[0]
    let now = invocation.now
    let retires = invocation.has(retireOption)
    let onlyShows = invocation.has(statusOption)
    if retires && onlyShows { throw .usage("--status and --retire-now do not go together") }
    let (stack, keys) = try await invocation.withStore { store throws(RegistryError) in
      let stack = try await store.stack(matching: name)
      var keys = try await store.vapidKeys(of: stack.id)
      if !onlyShows && !retires {
        keys = try await store.replaceVAPIDKey(of: stack.id, at: now)
      }
      return (stack, keys)
    }
    guard retires else { return try answer(invocation, stack, keys, cutOff: []) }
    let cutOff = try await retire(stack, invocation)
    let left = try await invocation.withStore { store throws(RegistryError) in
      try await store.vapidKeys(of: stack.id)
    }
    try answer(invocation, stack, left, cutOff: cutOff)
  }

  /// Names those whom it cuts off, asks where somebody is there to be asked, and retires the old keys.
  private static func retire(
    _ stack: Stack, _ invocation: Invocation
  ) async throws(CommandError) -> [DeviceID] {
    try await invocation.withOpenStore { store throws(CommandError) in
      var count = 0
      do throws(RegistryError) {
        var last: DeviceID?
        repeat {
          let page = try await store.devices(onReplacedKeyOf: stack.id, after: last, limit: Limits.pageRows)
          for device in page {
            invocation.remark("cuts off \(device.id)\(device.label.map { " (\($0))" } ?? "")")
          }
          count += page.count
          last = page.count == Limits.pageRows ? page.last?.id : nil
        } while last != nil
      } catch { throw CommandError(error) }
      if count > 0, !invocation.has(yesOption) {
        guard Terminal.canAsk else {
          throw .usage("nothing was retired: say --yes to cut off \(Table.count(count, "device"))")
        }
        guard Terminal.confirms("cut off \(Table.count(count, "device")) of \(stack.label)?") else {
          throw .failed("nothing was retired")
        }
      }
      do throws(RegistryError) { return try await store.retireReplacedVAPIDKeys(of: stack.id) } catch {
        throw CommandError(error)
      }
    }
  }

  private static func answer(
    _ invocation: Invocation, _ stack: Stack, _ keys: [VAPIDKeyUse], cutOff: [DeviceID]
  ) throws(CommandError) {
    let old = keys.filter { !$0.isCurrent }
    let waiting = old.map(\.devices).reduce(0, +)
    var lines = [
      "stack      \(stack.label) (\(stack.id))", "VAPID key  \(keys.first?.publicKey ?? "none")", "",
    ]
    lines += Table.lines(
      ["KEY", "MADE", "REPLACED", "DEVICES"],
      keys.map {
        [
          $0.publicKey, LocalTime.words($0.createdAt), $0.replacedAt.map(LocalTime.words),
          "\($0.devices)",
        ]
      }, empty: "")
    if !cutOff.isEmpty { lines += ["", "\(Table.count(cutOff.count, "device")) must subscribe anew."] }
    if !old.isEmpty {
      lines += [
        "",
        waiting == 0
          ? "Nobody hangs on an old key; the running server retires it a day after it was replaced."
          : "\(Table.count(waiting, "device")) still on an old key; the apps move by themselves.",
      ]
    }
    try invocation.answer(
      [
        "stack": .string(stack.id.text), "vapidPublicKey": Presentation.text(keys.first?.publicKey),
        "keys": .array(keys.map(Presentation.vapidKey)), "devicesOnOldKeys": .integer(Int64(waiting)),
        "cutOff": .array(cutOff.map { .string($0.text) }),
      ], people: lines)
  }
}
