import EndpointRegistry
import Glibc
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
  /// 141, without a word: whoever read the answer went away, as `head` does.
  case readerLeft

  /// One of an exit code that was found otherwise.
  init(exitCode: Int32, _ line: String) {
    self =
      switch exitCode {
      case 2: .usage(line)
      case 3: .unreachable(line)
      case 4: .store(line)
      default: .failed(line)
      }
  }

  var exitCode: Int32 {
    switch self {
    case .failed: 1
    case .usage: 2
    case .unreachable: 3
    case .store: 4
    // That of a program that SIGPIPE ended: 128 and the signal's number.
    case .readerLeft: 128 + SIGPIPE
    }
  }

  /// What is said of it on standard error; nil where that is nothing.
  var line: String? {
    switch self {
    case .failed(let line), .usage(let line), .unreachable(let line), .store(let line): line
    case .readerLeft: nil
    }
  }

  /// An answer that could not be written.
  init(_ error: FileHandleOutput.Failed) {
    self =
      error.number == EPIPE
      ? .readerLeft : .failed("standard output cannot be written: \(String(errno: error.number))")
  }

  init(_ error: RegistryError) {
    switch error {
    case .notFound:
      self = .failed("there is no such stack or device; `wake stack list` and `wake device list` show all")
    case .ambiguous(let stacks):
      self = .failed("this label names several stacks; use an id: \(stacks.joined(separator: ", "))")
    case .storeMissing(let path):
      self = .unreachable(
        "there is no store at \(path); name its folder with --state-dir (WAKE_STATE_DIR), or `wake stack add LABEL` "
          + "makes one")
    case .storeMoved(let path):
      self = .unreachable("what lies at \(path) is not the store that is open: it was moved or replaced")
    case .busy: self = .unreachable("another process holds the store; try again in a few seconds")
    case .serviceKeyUnusable(let sentence): self = .store(sentence)
    case .serviceKeyCommand: self.init(StoreFault(error).finding)
    case .serviceKeyExposed(let path):
      self = .store("the service key \(path) can be read by others: chmod 600 \(path)")
    case .damaged(let what):
      self = .store("the store is damaged (\(what)); it was left as it is: restore a copy of it")
    case .newerSchema(let found, let known):
      self = .store(
        "the store has schema \(found), this program knows \(known): use the newer program; nothing was changed"
      )
    case .olderSchema(let found, let known):
      self = .store(
        "the store has schema \(found), this program needs \(known), and a server of an earlier version works on "
          + "it: restart the server; nothing was changed")
    case .readOnly, .servedByOtherName: self.init(StoreFault(error).finding)
    case .notAStore(let path): self = .store("\(path) is not a store of this program; nothing was changed")
    case .sealBroken(let place):
      self = .store("\(place) of the store cannot be opened with its key: it was changed by something else")
    case .storageFull: self = .failed("the disk is full; nothing was stored")
    case .stackExists: self = .failed("there is a stack of this id already; `wake stack list` shows all")
    case .nameTaken: self = .failed("there is a token of this name already; choose another one")
    case .gone: self = .failed("this device was revoked or removed already")
    case .file(EACCES, let path): self.init(ClosedPlace(refusing: path))
    case .file(let number, let path): self = .failed("\(path): \(String(errno: number))")
    case .labelEmpty: self = .usage("a label must have a visible character")
    case .pathNotAbsolute: self = .usage("the store's path must be absolute")
    case .sqlite(let code, _):
      self = .failed("the store could not be used (SQLite's code \(code)); try again")
    case .cryptography(let operation):
      self = .failed("OpenSSL failed in \(operation); check its configuration")
    case .backup(let fault, let path): self = .failed(Self.line(fault, path))
    case .closed: self = .failed("the store was closed")
    case .pairingExpired, .pairingUsed, .vapidKeyUnknown, .keysWithoutSubscription, .endpointWithoutKeys:
      self = .failed("the registry refused that: \(error)")
    }
  }

  private static func line(_ fault: BackupFault, _ path: String) -> String {
    switch fault {
    case .notABackup: "\(path) is not a backup of this program"
    case .newerFormat:
      "\(path) was made by a newer program, or its first line is damaged: use the newer program"
    case .malformedManifest: "\(path) is damaged: its manifest is not one that this program writes"
    case .wrongLength: "\(path) is damaged: it is shorter or longer than its manifest says"
    case .digestMismatch(let part): "\(path) is damaged: the \(part) is not what was written"
    case .fileExists: "\(path) is there already; --force replaces it"
    case .notReplaceable: "\(path) is there already and is no backup: it stays as it is; choose another name"
    case .storeExists:
      "there is a store at \(path) already; --force puts it aside, under another name beside it"
    case .inProgress: "another process is writing \(path) at this moment"
    case .passphraseTooShort:
      "a passphrase needs \(BackupKey.passphraseLengthMinimum) characters or more"
    case .passphraseMissing:
      "the service key is in \(path) under a passphrase, and the one here does not open it: give the passphrase "
        + "with --passphrase-file FILE, or at a terminal"
    case .wrongPassphrase: "the passphrase does not open the service key in \(path)"
    }
  }

  init(_ error: ServiceError) {
    switch error {
    case .inUse: self = .store("\(error)")
    case .store(let error): self.init(error)
    case .cannotStart(let reason): self = .failed(reason)
    }
  }

  init(_ place: ClosedPlace) { self = .unreachable("\(place.sentence): \(place.fix)") }

  /// What the doctor says of it too.
  private init(_ finding: DoctorFinding) {
    self = .store([finding.seen, finding.fix].compactMap { $0 }.joined(separator: "; "))
  }

  init(_ error: CertificateFileError) { self = .failed(error.description) }

  init(_ error: ConfigurationError) { self = .usage(error.description) }
}
