package import CryptoPrimitives

/// Puts another service key into the place of the one that a store hangs on. Only 32 octets are sealed anew.
///
/// For a key in a file: the new key is on disk as `….new` first; then the store is told; then the file gets its name.
/// Where that is cut off after the second step, `recover` does the third at the next opening.
package struct ServiceKeyRotation: Sendable {
  /// Where a rotation stands: what has been done.
  package enum Step: Sendable, Equatable {
    case keyWritten, storeRewrapped
  }

  private let path: String
  private var next: String { "\(path).new" }

  /// The rotation of the key in the file at `path`; a link is followed.
  package init(path: String) {
    self.path = FilePath.resolved(path)
  }

  /// Makes a new key and has `store` hang on it. `step` is told what has been done.
  package func run(
    _ store: SQLiteStore, random: RandomOctets, step: @Sendable (Step) -> Void = { _ in }
  ) async throws(RegistryError) {
    let lock = try FolderLock(folderOf: path)
    defer { extendLifetime(lock) }
    let path = path
    let old = try await store.read { session throws(RegistryError) in
      try Self(path: path).settle { session.database.isOpened(by: $0) }
    }
    guard let old else {
      throw .serviceKeyUnusable("the service key \(path) does not open the store: nothing was changed")
    }
    // What is there now opens nothing: it is of a rotation that was cut off before its second step.
    StoreFile.remove(next)
    let key = SecretOctets(random(StoreKeys.keyLength))
    try ServiceKeyFile.create(next, key: key.octets, random: random)
    step(.keyWritten)
    do throws(RegistryError) {
      try await store.rewrapDataKey(from: old, to: key)
    } catch {
      // A commit that failed may be on disk after all: the next opening finds out, and both keys are there for it.
      if error == .busy || error == .storageFull { StoreFile.remove(next) }
      throw error
    }
    step(.storeRewrapped)
    try StoreFile.rename(next, to: path)
  }

  /// The key that opens the store, where a rotation that was cut off, or is under way, has left it; nil where none does.
  func recover(_ opens: (SecretOctets) -> Bool) throws(RegistryError) -> SecretOctets? {
    let lock = try FolderLock(folderOf: path)
    defer { extendLifetime(lock) }
    return try settle(opens)
  }

  /// Does the last step of a rotation where it is missing. The lock is held.
  private func settle(_ opens: (SecretOctets) -> Bool) throws(RegistryError) -> SecretOctets? {
    // It may have been done since the caller looked.
    let key = try ServiceKeyFile.load(path)
    if opens(key) { return key }
    guard try ServiceKeyFile.exists(next) else { return nil }
    let candidate = try ServiceKeyFile.load(next)
    guard opens(candidate) else { return nil }
    try StoreFile.rename(next, to: path)
    return candidate
  }
}

extension ServiceKeySource {
  /// Writes a new key, in the form that every source has, to `path`, where nothing may be.
  package static func writeNewKey(to path: String, random: RandomOctets) throws(RegistryError) {
    guard try !ServiceKeyFile.exists(path) else {
      throw .serviceKeyUnusable("\(path) is there already: name another file")
    }
    try ServiceKeyFile.create(path, key: random(StoreKeys.keyLength), random: random)
  }
}
