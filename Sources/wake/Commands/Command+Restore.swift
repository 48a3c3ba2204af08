import CryptoPrimitives
import EndpointRegistry
import StrictJSON
import Synchronization
import WakeServer

extension Command {
  private static let force = Option("--force", help: "put the store aside that is there")
  private static let revokeTokens = Option(
    "--revoke-tokens", help: "every phone has to pair again, every core and operator needs a new token")

  static let restore = Command(
    "restore", ["FILE"], summary: "bring a backup back; the server must be stopped",
    discussion: """
      Checks all of the backup before anything is touched. Stacks, devices, tokens and alerts are those of the backup;
      alerts raised from now on are numbered in a new epoch, so that companions notice what was lost. A store that is
      there already is refused, or with --force kept under another name. What was revoked since the backup was made is
      valid again, unless --revoke-tokens is given.
      The service key has to be in its place, or in the backup: its passphrase is then asked for.
      """,
    options: [force, revokeTokens, Passphrase.option]
  ) { invocation throws(CommandError) in
    let file = try invocation.file()
    let configuration = try invocation.configuration()
    let bar = ProgressBar(invocation)
    defer { bar.clear() }
    let refusal = Mutex<CommandError?>(nil)
    let restored: RestoredStore
    do throws(ServiceError) {
      restored = try configuration.restore(
        file, replacing: invocation.has(force), revokingTokens: invocation.has(revokeTokens),
        at: invocation.now,
        passphrase: {
          bar.clear()
          do throws(CommandError) { return try Passphrase(invocation).recall() } catch {
            refusal.withLock { $0 = error }
            return nil
          }
        }, progress: { bar.show($0) })
    } catch {
      if let refusal = refusal.withLock({ $0 }) { throw refusal }
      if case .inUse(let path) = error {
        throw .store("a server is running on this store (it holds \(path)): stop the server first")
      }
      throw CommandError(error)
    }
    bar.clear()
    let contents = restored.contents
    if !invocation.has(revokeTokens) {
      let made = LocalTime.words(contents.madeAt)
      try? FileHandleOutput.standardError.write(
        "wake: warning: what was revoked or removed since \(made) is valid again; revoke it once more, or restore "
          + "with \(revokeTokens.flag)\n")
    }
    try invocation.answer(
      [
        "database": .string(configuration.databasePath), "before": Presentation.text(restored.aside),
        "madeAt": .string(Presentation.time(contents.madeAt)), "schema": .integer(Int64(contents.schema)),
        "stacks": .integer(contents.stacks), "devices": .integer(contents.devices),
        "alerts": .integer(contents.alerts), "keyInstalled": .bool(restored.didInstallKey),
        "tokensRevoked": .bool(invocation.has(revokeTokens)),
      ], people: Self.lines(restored, configuration, revoked: invocation.has(revokeTokens)))
  }

  private static func lines(
    _ restored: RestoredStore, _ configuration: Configuration, revoked: Bool
  ) -> [String] {
    let contents = restored.contents
    var lines = [
      "restored  \(configuration.databasePath), as it was at \(LocalTime.words(contents.madeAt))",
      "holds     stacks: \(contents.stacks), devices: \(revoked ? 0 : contents.devices), "
        + "alerts: \(contents.alerts)",
    ]
    if let aside = restored.aside { lines.append("before    \(aside) is the store that was there") }
    if restored.didInstallKey { lines.append("key       \(configuration.serviceKey.place), from the backup") }
    lines.append("")
    if revoked {
      lines += [
        "No token is valid any more. For each stack: `wake stack hook-token add STACK NAME` makes one for its core,",
        "and `wake pair STACK` adds each phone again.",
      ]
    }
    return lines + ["Next: `wake serve`."]
  }
}
