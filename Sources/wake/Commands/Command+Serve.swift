import Dispatch
import Foundation
import StrictJSON
import WakeServer

extension Command {
  static let serve = Command(
    "serve", summary: "run the service",
    discussion: """
      Makes the state folder, the store and its key where there are none, and says the address that it listens
      on. Logs go to standard error. SIGTERM and SIGINT end it in order.
      """
  ) { invocation throws(CommandError) in
    let configuration = try invocation.configuration()
    let log = Log.standardError(from: configuration.logLevel)
    for name in Setting.unknown(in: invocation.environment) {
      log.warning("\(name) is no setting of this program and has no effect")
    }
    Descriptors.raiseLimit()
    let service: WakeService
    do throws(ServiceError) { service = try WakeService(configuration, log: log) } catch {
      throw CommandError(error)
    }
    let ending = Signals.theEnd()
    log.always("listening on \(service.publicAddress), admin on \(service.adminAddress)")
    if invocation.json {
      try invocation.write(
        JSONValue.object([
          "listening": .string("\(service.publicAddress)"), "admin": .string("\(service.adminAddress)"),
        ]).text)
    }
    await ending.value
    log.info("ending")
    await service.stop()
  }
}

/// The signals that ask a process to end.
enum Signals {
  /// Ends when SIGTERM or SIGINT comes; from the moment of the call on neither kills the process.
  static func theEnd() -> Task<Void, Never> {
    let (came, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.finish() }
      source.activate()
      return source
    }
    return Task {
      for await _ in came {}
      for source in sources { source.cancel() }
    }
  }
}
