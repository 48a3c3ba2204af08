internal import KindCatalogue
internal import WebPushCrypto

extension SQLiteStore {
  package func wakeTarget(_ device: DeviceID) async throws(RegistryError) -> WakeTarget? {
    let sealed = try await read { session throws(RegistryError) in try session.wakeTarget(device) }
    // Opened here, so that the threads that read are free for others.
    return try sealed.map { sealed throws(RegistryError) in
      try sealed.target.open(
        stack: sealed.stack, generation: sealed.generation, catalogueVersion: sealed.catalogueVersion,
        keys: keys, vapidKeys: vapidKeys)
    }
  }
}

/// One device that is to be woken, its sealed columns still closed.
private struct SealedWake: Sendable {
  let stack: StackID
  let generation: Int64
  let catalogueVersion: String
  let target: SealedWakeTarget
}

extension Session {
  fileprivate func wakeTarget(_ device: DeviceID) throws(RegistryError) -> SealedWake? {
    // One moment: the generation that is told is the one that the row was read at.
    try snapshot { () throws(RegistryError) in
      let generation = try subscriptionGeneration()
      return try database.first(
        """
        SELECT s.id, s.kinds, \(SealedWakeTarget.columns)
        FROM devices d JOIN stacks s ON s.serial = d.stack \(SealedWakeTarget.joins) WHERE d.id = ?
        """, .text(device.text)
      ) { row throws(RegistryError) in
        SealedWake(
          stack: try row.stackID(0), generation: generation,
          catalogueVersion: CatalogueVersion(try row.kinds(1)).text,
          target: SealedWakeTarget(row, from: 2, device: device))
      }
    }
  }

  /// The store-wide count of subscription changes.
  func subscriptionGeneration() throws(RegistryError) -> Int64 {
    guard let generation = try database.integer("SELECT generation FROM store") else {
      throw .damaged(database.path)
    }
    return generation
  }
}
