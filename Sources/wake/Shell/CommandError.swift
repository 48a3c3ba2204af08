import EndpointRegistry
import WakeServer

/// Why a command did not do what it was asked to, as an exit code and one line.
enum CommandError: Error {
  /// 1: it failed.
  case failed(String)
  /// 2: wrong usage.
  case usage(String)
  /// 3: the server or the store could not be reached.
  case unreachable(String)
  /// 4: the store is damaged, newer than the program, or in use by another server.
  case store(String)

  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .usage: 2
    case .unreachable: 3
    case .store: 4
    }
  }

  var line: String {
    switch self {
    case .failed(let line), .usage(let line), .unreachable(let line), .store(let line): line
    }
  }

  init(_ error: RegistryError) {
    switch error {
    case .notFound:
      self = .failed("there is no such stack or device; `wake stack list` and `wake device list` show all")
    case .ambiguous(let stacks):
      self = .failed("this label names several stacks; use an id: \(stacks.joined(separator: ", "))")
    case .storeMissing(let path):
      self = .unreachable(
        "there is no store at \(path); `wake stack add LABEL` makes one, or name its folder with --state-dir")
    case .busy: self = .unreachable("another process holds the store; try again in a few seconds")
    case .damaged, .newerSchema, .notAStore, .serviceKeyUnusable: self = .store("\(error)")
    default: self = .failed("\(error)")
    }
  }

  init(_ error: ServiceError) {
    switch error {
    case .inUse: self = .store("\(error)")
    case .store(let error): self.init(error)
    case .cannotStart(let reason): self = .failed(reason)
    }
  }

  init(_ error: ConfigurationError) { self = .usage(error.description) }
}
