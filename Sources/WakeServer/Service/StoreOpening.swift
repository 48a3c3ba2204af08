package import CryptoPrimitives
package import EndpointRegistry
internal import Glibc

extension Configuration {
  /// Opens the store, for the server and for the command line alike.
  ///
  /// - Parameters:
  ///   - create: whether a store, and its key, is made where there is none. Only `serve` and `stack add` may: any other
  ///     command says where it looked.
  ///   - serving: whether the caller holds the server's lock. Who does not leads an older store to the newest schema
  ///     only while nobody holds it: never behind a running server's back.
  package func openStore(
    create: Bool, serving: Bool = false, random: RandomOctets = .system,
    options: StoreOptions = StoreOptions()
  ) throws(RegistryError) -> SQLiteStore {
    do { try Algorithms.prepare() } catch { throw .cryptography(operation: "prepare") }
    guard try storeExists() || create else { throw .storeMissing(databasePath) }
    if !serving { try refuseOtherName() }
    func open(migrates: Bool) throws(RegistryError) -> SQLiteStore {
      var options = options
      options.migrates = migrates
      return try SQLiteStore.open(
        at: databasePath, keySource: serviceKey, create: create, random: random, options: options)
    }
    do throws(RegistryError) {
      return try open(migrates: serving)
    } catch .olderSchema(let found, let known) {
      // Another command may be doing just that.
      guard let lock = try? ServerLock(at: lockPath, waiting: ServerLock.migrationMilliseconds) else {
        throw .olderSchema(found: found, known: known)
      }
      return try withExtendedLifetime(lock) { () throws(RegistryError) in try open(migrates: true) }
    }
  }

  /// Refuses a store that a server works on by another name of the same file, as a snapshot made of hard links has it:
  /// SQLite's logs are found by name, and two of them damage the file.
  ///
  /// Only a file with several names is looked at: a lock that is tried is held for a moment, and would be in the way of
  /// a server that starts.
  func refuseOtherName() throws(RegistryError) {
    var status = stat()
    guard unsafe stat(databasePath, &status) == 0, status.st_nlink > 1, StoreFileLock.isHeld(databasePath),
      !isServedByThisName
    else { return }
    throw .servedByOtherName(databasePath)
  }

  /// Whether a server holds the store by this name of it, wherever its socket is. The file of its lock is not made for
  /// that.
  var isServedByThisName: Bool {
    guard unsafe access(lockPath, F_OK) == 0 else { return false }
    do throws(ServiceError) {
      let lock = try ServerLock(at: lockPath)
      withExtendedLifetime(lock) {}
      return false
    } catch {
      if case .inUse = error { return true }
      return false
    }
  }

  /// Whether there is a store.
  ///
  /// - Throws: `file` where there is one that this user may not use, `readOnly` where its file system takes no change:
  ///   SQLite would say something else of it.
  func storeExists() throws(RegistryError) -> Bool {
    if unsafe access(databasePath, R_OK | W_OK) != 0 {
      let number = errno
      guard number == ENOENT else { throw Self.refusal(number, at: databasePath) }
      return false
    }
    // The files beside it are made at each opening.
    let folder = FilePath.folder(of: databasePath)
    guard unsafe access(folder, R_OK | W_OK | X_OK) == 0 else {
      throw Self.refusal(errno, at: folder)
    }
    return true
  }

  private static func refusal(_ errorNumber: Int32, at path: String) -> RegistryError {
    errorNumber == EROFS ? .readOnly(path) : .file(errorNumber: errorNumber, path: path)
  }
}
