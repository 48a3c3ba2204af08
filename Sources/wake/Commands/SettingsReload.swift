import WakeServer

/// What SIGHUP asks the service for: to read again what may change while it runs.
struct SettingsReload {
  let invocation: Invocation
  let service: WakeService
  let log: Log

  /// Takes on what can be, and says what has to wait. Where the settings are wrong, those in force stay.
  func run() async {
    // Whatever the settings say: the names of these files do not change while the service runs.
    await service.lookAtCertificate()
    do throws(CommandError) {
      let (configuration, changes) = try invocation.configurationAgain()
      log.write(from: configuration.logLevel)
      log.always(
        "the settings were read again; the log is written from \(configuration.logLevel.rawValue) on")
      let waiting = changes.map(\.variable).filter { !Setting.live.contains($0) }
      if !waiting.isEmpty {
        log.warning(
          "these settings have changed, and wait for the next start: \(waiting.joined(separator: ", "))")
      }
    } catch {
      log.error("the settings were read again and are wrong; those in force stay: \(error.line ?? "")")
    }
  }
}
