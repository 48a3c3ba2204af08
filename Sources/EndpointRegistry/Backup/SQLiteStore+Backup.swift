package import CryptoPrimitives

extension SQLiteStore {
  /// Writes a backup to `path`, while others go on reading and writing: it is whole there when this returns, and else
  /// it is not there at all. The service key goes in only as `key` says.
  ///
  /// `at` is the time now. `progress` is called on a thread of the store.
  package func backUp(
    to path: String, replacing: Bool, key: BackupKey?, at: Int64, random: RandomOctets,
    progress: @escaping @Sendable (BackupProgress) -> Void = { _ in }
  ) async throws(RegistryError) -> BackupContents {
    try await read { session throws(RegistryError) in
      let output = try BackupOutput(path, replacing: replacing)
      let contents = try StoreCopy(
        copy: output.copy, result: output.store,
        busyTimeoutMilliseconds: StoreOptions().busyTimeoutMilliseconds, progress: progress
      ).make(of: session.database, at: at)
      if let key { try Self.check(key, opens: output.store) }
      let sealed = try key.map { key throws(RegistryError) in try SealedServiceKey.seal(key, random: random) }
      let writer = BackupWriter(contents: contents, store: output.store, key: sealed)
      try writer.write(to: output.file, progress)
      progress(.publishing)
      try output.publish(replacing: replacing)
      return writer.contents
    }
  }

  /// A key that was replaced since it was read would make the backup worthless.
  private static func check(_ key: BackupKey, opens store: String) throws(RegistryError) {
    let database = try Database(path: store, mode: .inspect, busyTimeoutMilliseconds: 0)
    _ = try database.dataKey(serviceKey: key.serviceKey)
  }
}

extension Database {
  /// The data key of this store; `serviceKeyUnusable` where `serviceKey` is not the one that wraps it.
  func dataKey(serviceKey: SecretOctets) throws(RegistryError) -> SecretOctets {
    guard let wrapped = try first("SELECT data_key FROM store", read: { $0.octets(0) }) else {
      throw .damaged(path)
    }
    return try WrappedDataKey.open(wrapped, serviceKey: serviceKey, path: path)
  }
}
