package import CryptoPrimitives
package import EndpointRegistry

extension Configuration {
  /// Restores the backup at `file`: all of it is verified first, and no server may run meanwhile.
  ///
  /// - Parameters:
  ///   - replacing: whether a store that is there may be put aside.
  ///   - passphrase: is asked once, where the service key of this machine does not do; nil where nobody knows it.
  package func restore(
    _ file: String, replacing: Bool, revokingTokens: Bool, at: Int64, random: RandomOctets = .system,
    passphrase: @escaping () -> SecretOctets?, progress: @escaping (BackupProgress) -> Void
  ) throws(ServiceError) -> RestoredStore {
    do { try Algorithms.prepare() } catch { throw .store(.cryptography(operation: "prepare")) }
    do { try BackupReader(file).verify(progress) } catch { throw .store(error) }
    do { try stateFolder.create() } catch { throw .cannotStart("\(error)") }
    let lock = try ServerLock(at: lockPath)
    defer { extendLifetime(lock) }
    do throws(RegistryError) {
      // Every part is compared with its digest once more while it is read.
      return try StoreRestoration(
        path: databasePath, keySource: serviceKey, revokesTokens: revokingTokens, at: at, random: random,
        passphrase: passphrase
      ).run(BackupReader(file), replacing: replacing, aside: asidePath(at), progress: progress)
    } catch { throw .store(error) }
  }

  /// Where a store goes that is replaced: its name and the time, without what a file's name may not have elsewhere.
  private func asidePath(_ at: Int64) -> String {
    "\(databasePath).before-restore-\(Presentation.time(at).filter { !"-:".contains($0) })"
  }
}
