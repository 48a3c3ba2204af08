import Glibc
import StrictJSON
import WakeServer

extension Command {
  static let serve = Command(
    "serve", summary: "run the service",
    discussion: """
      Makes the state folder, the store and its key where there are none, and says the address that it listens
      on; a socket unit of systemd can bind that instead (--listen systemd). Logs go to standard error,
      as text on a terminal, in its own form to systemd's journal, and as JSON otherwise. SIGTERM and SIGINT
      end it in order. SIGHUP has it read the log's level from the file of --config again, and the
      certificate; what else has changed there it names, and takes on at the next start.
      """,
    settings: Setting.all
  ) { invocation throws(CommandError) in
    // First of all, so that no child of ours, such as WAKE_SERVICE_KEY_COMMAND, takes them for its own.
    let handed = HandedSockets.take(from: invocation.environment)
    let manager = ServiceManager.take(from: invocation.environment)
    let configuration = try invocation.configuration()
    let descriptor: Int32?
    do throws(ConfigurationError) { descriptor = try configuration.listen.descriptor(among: handed) } catch {
      throw CommandError(error)
    }
    let log = Log.standardError(
      from: configuration.logLevel, format: configuration.logFormat ?? .fitting(invocation.environment))
    for warning in configuration.warningsOfUnknownSettings { log.warning(warning) }
    Descriptors.raiseLimit()
    // Before the store is opened, which may take minutes where it has to be brought up to date.
    let signals = try Signals.coming(Signals.end + [SIGHUP], whileStarting: true)
    let service: WakeService
    do throws(ServiceError) {
      // Whoever is answered by it has it end in order.
      service = try WakeService(configuration, on: descriptor, log: log, willListen: Signals.started)
    } catch { throw CommandError(error) }
    let byToken = service.adminTokenAddress.map { "\($0)" }
    let metrics = service.metricsAddress.map { "\($0)" }
    let place =
      "listening on \(service.publicAddress), admin on \(service.adminAddress)"
      + (byToken.map { " and, by token, on \($0)" } ?? "") + (metrics.map { ", metrics on \($0)" } ?? "")
    log.always(place)
    if invocation.json {
      try invocation.write(
        JSONValue.object([
          "listening": .string("\(service.publicAddress)"), "admin": .string("\(service.adminAddress)"),
          "adminByToken": Presentation.text(byToken), "metrics": Presentation.text(metrics),
        ]).text)
    }
    let living = manager.pace.map { pace in
      Task {
        while (try? await Task.sleep(for: pace)) != nil { await service.answers(); manager.tell(.alive) }
      }
    }
    if !manager.tell(.ready(place)) {
      log.warning("the service manager does not hear that the service is ready")
    }
    let (reasons, reason) = AsyncStream<ServiceError?>.makeStream()
    let watch = Task { if let fault = await service.fault() { reason.yield(fault) } }
    let reload = SettingsReload(invocation: invocation, service: service, log: log)
    let listening = Task {
      for await number in signals {
        guard number == SIGHUP else { break }
        manager.tell(.reloading)
        await reload.run()
        manager.tell(.ready(place))
      }
      reason.yield(nil)
    }
    let fault = await reasons.first { _ in true } ?? nil
    manager.tell(.stopping)
    log.info("ending")
    await service.stop()
    for task in [watch, listening] + [living].compactMap({ $0 }) { task.cancel() }
    if let fault { throw CommandError(fault) }
  }
}
