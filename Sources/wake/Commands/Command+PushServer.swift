import StandIns
import StrictJSON
import WakeServer

extension Command {
  private static let plays = Option(
    "--as", "NAME", help: "whom to play (default: strict), one of the list above")
  private static let script = Option(
    "--script", "FILE", help: "answer as this file says: paths, and for each what is said in turn (JSON)")
  private static let listen = Option(
    "--listen", "HOST:PORT", help: "where to listen (default: 127.0.0.1:0, a free port)")
  private static let certificate = Option(
    "--tls-cert", "FILE", help: "speak https with this certificate, and --tls-key")
  private static let key = Option("--tls-key", "FILE", help: "the key of --tls-cert")
  private static let made = Option(
    "--tls-make", "FILE",
    help: "speak https with a certificate made now for this machine; it is written to FILE, its key nowhere")
  private static let unchecked = Option(
    "--no-checks",
    help: "check nothing, which is faster: take what no script and no name says otherwise about")
  private static let count = Option(
    "--count", "N", help: "end after N requests: with exit code 0, or 1 where one failed a check")
  private static let timeout = Option(
    "--timeout", "SECONDS", help: "end after so long: with exit code 1 where --count is not reached by then")

  static let pushServer = Command(
    "pushserver", summary: "be a push server to test against: strict, like a known one, or hostile",
    discussion: """
      Every path is an endpoint, registered or not. The first line says the origin; WAKE_PUSH_ALLOW of the service has to
      name it. Then comes a line for each request: when, the answer, the length, the first digits of SHA-256 over the
      endpoint's URL, and each check of a strict push server that the request fails, whether the one that is played minds
      or not. SIGINT and SIGTERM end it.

      \(personalities)

      An endpoint asks for what it wants by a part of its path, alone or before a `-`: /gone/phone, /gone-1. Everybody
      knows status-NNN and status-NNN-after-SECONDS, which sets Retry-After. The others:

      \(conditions)

      A script is {"rules":[{"path":"/up/*","answers":[{"status":503,"headers":{"Retry-After":"5"},"times":2},{}],
      "after":"last"}]}: docs/PUSHSERVER.md explains it.
      """,
    options: [plays, script, listen, certificate, key, made, unchecked, count, timeout], json: .jsonLines,
    takesSettings: false
  ) { invocation throws(CommandError) in
    let setup = try PushServerSetup(
      invocation, plays: plays, script: script, listen: listen, certificate: certificate, key: key,
      made: made, unchecked: unchecked)
    let run = PushServerRun(
      count: try invocation.number(count.flag, in: 1...1_000_000_000),
      timeoutSeconds: try invocation.number(timeout.flag, "seconds", in: 1...1_000_000),
      writes: { sight throws(CommandError) in
        try invocation.write(invocation.json ? sight.document.text : sight.line)
      })
    let ending = try Signals.theEnd()
    let server = try await setup.start { run.saw($0) }
    let result: Result<Void, CommandError>
    do throws(CommandError) {
      try invocation.answer(setup.document(origin: server.origin), people: setup.lines(origin: server.origin))
      run.begin()
      try await run.end(or: ending)
      result = .success(())
    } catch { result = .failure(error) }
    await server.stop()
    try result.get()
  }

  private static let personalities = columns(
    PushServerPersonality.allCases.map { ("--as \($0.rawValue)", $0.summary) })

  private static let conditions = PushServerPersonality.allCases.map { personality in
    let rows =
      personality == .hostile
      ? HostileFault.allCases.map { ($0.rawValue, $0.summary) }
      : personality.character.conditions.map { ($0.name, $0.summary) }
    return "\(personality.rawValue):\n\(columns(rows))"
  }.joined(separator: "\n")

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(text)"
    }.joined(separator: "\n")
  }
}
