package import EndpointRegistry
internal import Glibc

/// What is wrong with a store, as a finding.
package struct StoreFault {
  private let error: RegistryError

  package init(_ error: RegistryError) { self.error = error }

  package var finding: DoctorFinding {
    switch error {
    case .busy:
      fault(
        "another process holds it",
        "something else than the service writes to the store, and does not let go",
        "end the other `wake` command or SQLite tool that has the store open")
    case .storageFull:
      fault("it takes no change", "the disk is full", "free room on the disk of the state folder")
    case .damaged(let place):
      fault(
        "it is damaged: \(place)", "something else wrote to the file, or the disk loses data",
        "stop the service, check the disk, then: wake restore --force FILE, with your newest backup")
    case .sealBroken(let place):
      fault(
        "\(place) cannot be opened", "a row was changed by something else than this program",
        "wake device list shows which device must pair again; or: wake restore --force FILE")
    case .serviceKeyUnusable(let sentence):
      .fault(
        .serviceKey, "it does not open the store", cause: sentence,
        fix:
          "put the key back that the store was made with; a backup with a passphrase holds it: wake restore FILE"
      )
    case .serviceKeyCommand(let sentence):
      .fault(
        .serviceKey, "WAKE_SERVICE_KEY_COMMAND gives no key", cause: sentence,
        fix:
          "run the command by hand, as the service's user: it has to print the key, one line, and end with status 0"
      )
    case .serviceKeyExposed(let path):
      .fault(
        .serviceKey, "others may read \(path)",
        cause: "whoever has it can open the store, and the service does not start with it",
        fix: "chmod 600 \(path)")
    case .storeMissing(let path):
      fault(
        "there is none at \(path)", "it lies elsewhere, or none was made yet", Self.nameFolder)
    case .servedByOtherName(let path):
      fault(
        "\(path) is another name (a hard link) of a store that a server works on",
        "SQLite keeps a log beside each name, and two logs damage the file",
        "name the folder that the server has (WAKE_STATE_DIR, --state-dir); copies are made by wake backup, not by links"
      )
    case .storeMoved(let path):
      fault(
        "what lies at \(path) is not the file that is open",
        "it was moved, removed or replaced under the running service: the next start does not find what is kept now",
        "stop the service and put the file back that was there, with its -wal and -shm; if it is gone for good: wake restore FILE, with your newest backup"
      )
    case .newerSchema(let found, let known):
      fault(
        "it has schema \(found), and this program knows \(known)", "a later version of this program wrote it",
        "use the later version again, or restore a backup that was made before it")
    case .olderSchema(let found, let known):
      .warning(
        .store, "it has schema \(found), and this program writes \(known)",
        cause: "an earlier version of this program wrote it",
        fix: "start the service: wake serve leads it to the new schema")
    case .notAStore(let path):
      fault(
        "\(path) is no store of this program", "the file is something else",
        "name the right one: --database sqlite:/PATH")
    case .file(EACCES, let path): closed(ClosedPlace(refusing: path))
    case .readOnly(let path):
      fault(
        "\(path) lies on a file system that is read-only",
        "the system mounts one so whose disk fails; a mount option, or ReadOnlyPaths= of a unit, may ask for it",
        "findmnt -T \(path) shows which; make it writable (mount -o remount,rw), after a look at dmesg")
    case .file(let number, let path):
      fault(
        "\(path): \(String(errno: number))", "the file cannot be read or written by this user",
        "look at the folder and its disk: ls -ld \(path); df \(path)")
    case .sqlite(let code, _):
      fault(
        "SQLite answers with its code \(code)", Self.words(sqlite: code),
        "check that the disk of the state folder can be written, and what the system's log says of it")
    case .cryptography(let operation):
      fault(
        "OpenSSL failed in \(operation)", "the machine's OpenSSL is set up in a way that it cannot be used",
        "check its configuration (openssl version -a)")
    default:
      fault("it does not answer", "\(error)", "start the service again: wake serve")
    }
  }

  /// What to do where there is no store: whoever looks for one most often has not said where it is.
  static let nameFolder =
    "name the state folder that the service has: export WAKE_STATE_DIR=FOLDER (or --state-dir FOLDER); "
    + "where there is none yet, wake stack add LABEL makes one"

  private func closed(_ place: ClosedPlace) -> DoctorFinding {
    fault(
      place.sentence,
      place.owner == nil
        ? "its mode keeps everybody out" : "the store and its key are for one user, and this is another",
      place.fix)
  }

  private func fault(_ seen: String, _ cause: String, _ fix: String) -> DoctorFinding {
    .fault(.store, seen, cause: cause, fix: fix)
  }

  /// The low octet of an extended code is the class of the failure (sqlite.org/rescode.html).
  private static func words(sqlite code: Int32) -> String {
    switch code & 0xff {
    case 8: "the file, or the disk that it lies on, is read-only"
    case 10: "the disk does not take what is written: it is read-only, over its limit, or failing"
    case 14: "the file cannot be opened"
    default: "the store cannot be used"
    }
  }
}
