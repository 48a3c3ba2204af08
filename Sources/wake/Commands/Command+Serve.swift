import StrictJSON
import WakeServer

extension Command {
  static let serve = Command(
    "serve", summary: "run the service",
    discussion: """
      Makes the state folder, the store and its key where there are none, and says the address that it listens
      on; a socket unit of systemd can bind that instead (--listen systemd). Logs go to standard error,
      as text on a terminal and as JSON otherwise. SIGTERM and SIGINT end it in order.
      """,
    settings: Setting.all
  ) { invocation throws(CommandError) in
    // First of all, so that no child of ours, such as WAKE_SERVICE_KEY_COMMAND, takes them for its own.
    let handed = HandedSockets.take(from: invocation.environment)
    let configuration = try invocation.configuration()
    let descriptor: Int32?
    do throws(ConfigurationError) { descriptor = try configuration.listen.descriptor(among: handed) } catch {
      throw CommandError(error)
    }
    let log = Log.standardError(
      from: configuration.logLevel, format: configuration.logFormat ?? .fitting(invocation.environment))
    for warning in configuration.warningsOfUnknownSettings { log.warning(warning) }
    Descriptors.raiseLimit()
    let service: WakeService
    do throws(ServiceError) { service = try WakeService(configuration, on: descriptor, log: log) } catch {
      throw CommandError(error)
    }
    let ending = try Signals.theEnd()
    let byToken = service.adminTokenAddress.map { "\($0)" }
    let metrics = service.metricsAddress.map { "\($0)" }
    log.always(
      "listening on \(service.publicAddress), admin on \(service.adminAddress)"
        + (byToken.map { " and, by token, on \($0)" } ?? "") + (metrics.map { ", metrics on \($0)" } ?? ""))
    if invocation.json {
      try invocation.write(
        JSONValue.object([
          "listening": .string("\(service.publicAddress)"), "admin": .string("\(service.adminAddress)"),
          "adminByToken": Presentation.text(byToken), "metrics": Presentation.text(metrics),
        ]).text)
    }
    let (reasons, reason) = AsyncStream<ServiceError?>.makeStream()
    let watch = Task { if let fault = await service.fault() { reason.yield(fault) } }
    let end = Task {
      await ending.value
      reason.yield(nil)
    }
    let fault = await reasons.first { _ in true } ?? nil
    log.info("ending")
    await service.stop()
    watch.cancel()
    end.cancel()
    if let fault { throw CommandError(fault) }
  }
}
