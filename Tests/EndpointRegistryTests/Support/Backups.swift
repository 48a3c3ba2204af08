import CryptoPrimitives
import Foundation
import KindCatalogue

@testable import EndpointRegistry

/// Short words for what tests of backups begin with.
enum Backups {
  static let passphrase = SecretOctets(Array("correct horse battery staple".utf8))

  static func key() throws -> BackupKey {
    try BackupKey(serviceKey: TemporaryStore.serviceKey, passphrase: passphrase)
  }

  /// A file of a test's own.
  static func write(_ octets: [UInt8], _ path: String) throws {
    try Data(octets).write(to: URL(fileURLWithPath: path))
  }

  /// The octets of a part, without a look at its digest.
  static func part(_ name: BackupManifest.Part.Name, of backup: [UInt8]) throws -> [UInt8] {
    let head = try BackupHead(Array(backup.prefix(BackupFormat.headMaximum)), fileLength: Int64(backup.count))
    var offset = head.length
    for part in head.manifest.parts {
      if part.name == name { return Array(backup[offset..<offset + Int(part.size)]) }
      offset += Int(part.size)
    }
    throw BackupFault.malformedManifest
  }

  /// A backup whose sums are right, whatever its manifest says.
  static func sealed(manifest: String, parts: [UInt8], firstLine: String = "wake-backup-1\n") -> [UInt8] {
    let body = Array(firstLine.utf8) + Array(manifest.utf8) + [0x0A] + parts
    return body + BackupFormat.lastLine(SHA256.digest(body))
  }
}

extension TemporaryStore {
  /// A backup in the store's folder, and what it holds.
  @discardableResult
  func backUp(_ name: String = "backup", replacing: Bool = false, key: BackupKey? = nil) async throws
    -> [UInt8]
  {
    _ = try await store.backUp(
      to: folder.file(name), replacing: replacing, key: key, at: Self.now, random: .system)
    return try folder.octets(name)
  }
}

extension TemporaryFolder {
  /// Restores the backup of that name to `wake.sqlite`, with the store that is there put aside to `before`.
  @discardableResult
  func restore(
    _ name: String = "backup", from other: TemporaryFolder? = nil, key: ServiceKeySource? = nil,
    replacing: Bool = false, revokesTokens: Bool = false, aside: String = "before",
    passphrase: SecretOctets? = nil, progress: @escaping (BackupProgress) -> Void = { _ in }
  ) throws(RegistryError) -> RestoredStore {
    let reader = try BackupReader((other ?? self).file(name))
    try reader.verify()
    return try StoreRestoration(
      path: file("wake.sqlite"), keySource: key ?? .file(file("service.key")), revokesTokens: revokesTokens,
      at: TemporaryStore.now, random: .system, passphrase: { passphrase }
    ).run(reader, replacing: replacing, aside: file(aside), progress: progress)
  }

  /// Puts a service key there, as a first start does.
  func putKey(_ key: SecretOctets = TemporaryStore.serviceKey, _ name: String = "service.key") throws {
    try ServiceKeyFile.create(file(name), key: key.octets, random: .system)
  }
}
