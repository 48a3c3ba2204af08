import CryptoPrimitives
import Foundation
import StandIns
import StrictJSON
import WakeServer

extension Command {
  static let companion = [companionPair, companionRun, companionStatus]

  static let companionState = Option(
    "--state", "FILE", help: "where the companion keeps what it knows; tokens and keys are in there")

  private static let listen = Option(
    "--listen", "HOST:PORT", help: "receive wakes at this address (default: a free port of loopback)")
  private static let ntfy = Option(
    "--ntfy", "URL", help: "receive wakes through this topic of an ntfy server: https://ntfy.example/upTOPIC")
  private static let noPush = Option(
    "--no-push", help: "register without an endpoint: `run` reads, nothing wakes it")
  private static let label = Option("--label", "L", help: "what the device is called (default: companion)")

  private static let companionPair = Command(
    "companion pair", ["LINK"], summary: "be a phone: register by the link that `wake pair` shows",
    discussion: """
      LINK is wake://pair?…, or - for one line of standard input, where other users of the machine do not see it. One
      file may hold many stacks of many services. Where the link names a certificate, that one alone is taken. `run` and
      `pair` take turns with the file: end the one before the other.

      The companion is its own push server unless --ntfy or --no-push says otherwise: `pair` listens while it
      registers, waits \(CompanionPairing.patienceSeconds) s for the first wake, and hands its receipt back; `run` listens at the same address. A
      service wakes a phone on loopback only where WAKE_PUSH_ALLOW names that address. Through ntfy the first wake
      waits there, and `run` takes it.
      """,
    options: [companionState, listen, ntfy, noPush, label], takesSettings: false
  ) { invocation throws(CommandError) in
    let text =
      invocation.operands[0] == "-" ? readLine() ?? "" : invocation.operands[0]
    guard let link = PairingLink(text.trimmingCharacters(in: .whitespaces)) else {
      throw .usage("this is no pairing link; copy all of what `wake pair` shows, from wake:// to its end")
    }
    let receiver = try receiver(invocation)
    let book: CompanionBook
    do throws(CompanionError) { book = try CompanionBook(file(invocation), creatingWith: .system) } catch {
      throw CommandError(error)
    }
    /// What a service that reaches no private address must be told.
    func remedy() -> String {
      "WAKE_PUSH_ALLOW (--push-allow) of the service must name http://\(book.state.listen ?? "")"
    }
    let outcome: CompanionPairing.Outcome
    do throws(CompanionError) {
      outcome = try await CompanionPairing(book).pair(
        link, receiver: receiver, label: invocation.value(label.flag) ?? "companion")
    } catch {
      if case .refused(_, "endpoint-refused") = error, case .ownPushServer = receiver {
        throw .failed("\(error): \(remedy())")
      }
      throw CommandError(error)
    }
    let stack = outcome.stack
    try invocation.answer(
      [
        "stack": .string(stack.stack), "label": .string(stack.label), "device": .string(stack.device),
        "state": Presentation.text(stack.state), "receives": .string(stack.receives),
        "wakeCame": outcome.wakeCame.map { .bool($0) } ?? .null,
      ],
      people: [
        "paired with \(stack.label.oneLine): device \(stack.device)",
        outcome.wakeCame == true ? "the first wake has come" : "wakes come when `wake companion run` runs",
      ])
    if outcome.wakeCame == false {
      invocation.remark("warning: no wake came within \(CompanionPairing.patienceSeconds) s; \(remedy())")
    }
  }

  private static let companionStatus = Command(
    "companion status", summary: "say what a companion knows, without asking anybody",
    options: [companionState],
    takesSettings: false
  ) { invocation throws(CommandError) in
    let known: CompanionState
    do throws(CompanionError) { known = try file(invocation).load() } catch { throw CommandError(error) }
    try invocation.answer(
      .array(known.stacks.map(document)),
      people: Table.lines(
        ["STACK", "LABEL", "SERVICE", "STATE", "WAKES BY", "LAST ALERT"],
        known.stacks.map { stack in
          [
            stack.stack, stack.label, stack.baseURL, stack.isPaired ? stack.state : "over: pair again",
            stack.receives, stack.cursor,
          ]
        }, empty: "no stack yet: `wake companion pair LINK` adds one"))
  }

  private static func document(_ stack: CompanionStack) -> JSONValue {
    [
      "stack": .string(stack.stack), "label": .string(stack.label), "service": .string(stack.baseURL),
      "device": .string(stack.device), "paired": .bool(stack.isPaired),
      "state": Presentation.text(stack.state), "receives": .string(stack.receives),
      "kinds": .array(stack.kinds.map { .string($0) }), "cursor": Presentation.text(stack.cursor),
    ]
  }

  /// The file that --state names.
  static func file(_ invocation: Invocation) throws(CompanionError) -> CompanionStateFile {
    guard let path = invocation.value(companionState.flag), !path.isEmpty else { throw .fileUnnamed }
    return CompanionStateFile(path: path.hasPrefix("/") ? path : "\(invocation.workingFolder)/\(path)")
  }

  private static func receiver(_ invocation: Invocation) throws(CommandError) -> CompanionPairing.Receiver {
    let (listen, topic) = (invocation.value(listen.flag), invocation.value(ntfy.flag))
    let given = [listen != nil, topic != nil, invocation.has(noPush)]
    guard given.count(where: { $0 }) <= 1 else {
      throw .usage("--listen, --ntfy and --no-push are three ways: choose one")
    }
    if invocation.has(noPush) { return .none }
    guard let topic else { return .ownPushServer(listen: listen) }
    guard let url = PairingLink.baseURL(topic), (URLComponents(string: url)?.path.count ?? 0) > 1 else {
      throw .usage("--ntfy needs the URL of a topic, without a query: https://ntfy.example/upTOPIC")
    }
    return .ntfy(topic: url)
  }
}

extension String {
  /// Without what a terminal would act on.
  fileprivate var oneLine: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isOnOneLine ? $0 : "\u{fffd}" }))
  }
}

extension CommandError {
  init(_ error: CompanionError) {
    switch error {
    case .unreachable, .fileMissing: self = .unreachable("\(error)")
    case .fileDamaged, .fileInUse: self = .store("\(error)")
    case .fileUnnamed: self = .usage("say where the companion keeps what it knows: --state FILE")
    default: self = .failed("\(error)")
    }
  }
}
