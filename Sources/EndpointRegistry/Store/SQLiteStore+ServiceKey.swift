package import CryptoPrimitives

extension SQLiteStore {
  /// Opens the store with the key that `keySource` names, which is made where there is neither key nor store. Where the
  /// file of that key is one step behind the store, since its rotation was cut off, the step is done.
  package static func open(
    at path: String, keySource: ServiceKeySource, create: Bool, random: RandomOctets,
    options: StoreOptions = StoreOptions()
  ) throws(RegistryError) -> SQLiteStore {
    let key = try keySource.loadOrCreate(storeExists: StoreFile.exists(at: path), random: random)
    func open(_ key: SecretOctets) throws(RegistryError) -> SQLiteStore {
      try SQLiteStore.open(at: path, serviceKey: key, create: create, random: random, options: options)
    }
    do throws(RegistryError) {
      return try open(key)
    } catch .serviceKeyUnusable(let sentence) {
      guard case .file(let keyPath) = keySource else { throw .serviceKeyUnusable(sentence) }
      let database = try Database(
        path: path, mode: .inspect, busyTimeoutMilliseconds: options.busyTimeoutMilliseconds)
      let settled = try ServiceKeyRotation(path: keyPath).recover { database.isOpened(by: $0) }
      guard let settled else { throw .serviceKeyUnusable(sentence) }
      return try open(settled)
    }
  }

  /// Has the data key wrapped by `new` from now on; `serviceKeyUnusable` where `old` does not wrap it. Whoever has the
  /// store open goes on.
  package func rewrapDataKey(from old: SecretOctets, to new: SecretOctets) async throws(RegistryError) {
    try await write { session throws(RegistryError) in
      let dataKey = try session.database.dataKey(serviceKey: old)
      try session.database.setDataKey(
        WrappedDataKey.wrap(dataKey, serviceKey: new, random: session.random))
    }
  }
}
