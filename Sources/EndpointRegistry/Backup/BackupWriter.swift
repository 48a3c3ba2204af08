internal import CryptoPrimitives

/// Puts a backup together from its parts.
struct BackupWriter {
  let contents: BackupContents
  /// Where the database lies that becomes the store part.
  private let store: String
  private let key: (octets: [UInt8], sealing: SealedServiceKey.Sealing)?

  /// A backup of `contents`, with the sealed service key where there is one.
  init(
    contents: BackupContents, store: String, key: (octets: [UInt8], sealing: SealedServiceKey.Sealing)?
  ) {
    self.contents = BackupContents(
      madeAt: contents.madeAt, schema: contents.schema, stacks: contents.stacks, devices: contents.devices,
      alerts: contents.alerts, hasKey: key != nil)
    self.store = store
    self.key = key
  }

  /// Writes all of it, and waits for nothing.
  func write(
    to file: borrowing DataFile, _ progress: (BackupProgress) -> Void
  ) throws(RegistryError) {
    let source = try DataFile(reading: store)
    let manifest = try manifest(store: source)
    var whole = RunningSHA256()
    func append(_ octets: [UInt8]) throws(RegistryError) {
      try file.write(octets)
      whole.update(octets)
    }
    try append(BackupFormat.firstLine + manifest.line)
    let size = manifest.partsSize ?? 0
    var done: Int64 = 0
    try source.seek(to: 0)
    while case let octets = try source.read(BackupFormat.chunk), !octets.isEmpty {
      try append(octets)
      done += Int64(octets.count)
      progress(.packing(done: done, of: size))
    }
    if let key { try append(key.octets) }
    try file.write(BackupFormat.lastLine(whole.finish()))
  }

  private func manifest(store source: borrowing DataFile) throws(RegistryError) -> BackupManifest {
    var digest = RunningSHA256()
    while case let octets = try source.read(BackupFormat.chunk), !octets.isEmpty { digest.update(octets) }
    var parts = [
      BackupManifest.Part(
        name: .store, size: try source.length(), digest: digest.finish(), sealing: nil)
    ]
    if let key {
      parts.append(
        BackupManifest.Part(
          name: .serviceKey, size: Int64(key.octets.count), digest: SHA256.digest(key.octets),
          sealing: key.sealing))
    }
    return BackupManifest(contents: contents, parts: parts)
  }
}
