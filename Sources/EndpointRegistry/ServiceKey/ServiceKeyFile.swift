internal import CryptoPrimitives
internal import Glibc

/// The file that holds the service key.
enum ServiceKeyFile {
  /// Whether anything is at `path`, a dangling link included: only nothing at all is replaced by a new key.
  static func exists(_ path: String) throws(RegistryError) -> Bool {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { return true }
    let errorNumber = errno
    guard errorNumber == ENOENT else { throw unreadable(path, errorNumber) }
    return false
  }

  /// The key in the file at `path`, which nobody but its owner may read, and whose owner is this user or root.
  static func load(_ path: String) throws(RegistryError) -> SecretOctets {
    let file = try OpenFile(reading: path)
    let status = try file.status()
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .file(errorNumber: EACCES, path: path)
    }
    guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else { throw .serviceKeyExposed(path: path) }
    return try ServiceKeyText.parse(file.read(), from: "the service key \(path)")
  }

  /// The key in systemd's credential `name`. systemd may give a group leave to read it (an access list shows as one),
  /// and keeps others out of the folder.
  static func loadCredential(_ name: String, folder: String?) throws(RegistryError) -> SecretOctets {
    guard let folder else {
      throw .serviceKeyUnusable(
        "CREDENTIALS_DIRECTORY is not set: add LoadCredential=\(name):/path to the unit, and start it by systemd"
      )
    }
    guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
      throw .serviceKeyUnusable("\(name) is not the name of a credential")
    }
    let path = "\(folder)/\(name)"
    let file = try OpenFile(reading: path)
    guard try file.status().st_mode & S_IRWXO == 0 else { throw .serviceKeyExposed(path: path) }
    return try ServiceKeyText.parse(file.read(), from: "the service key \(path)")
  }

  /// Puts a key at `path` unless something is there already. The file appears whole or not at all, and it is on disk
  /// before any store is made that needs it.
  static func create(_ path: String, key: [UInt8], random: RandomOctets) throws(RegistryError) {
    try StoreFile.createFolder(FilePath.folder(of: path))
    let temporary = ScratchFile.name(for: path, random: random)
    let file = try OpenFile(creating: temporary)
    defer { StoreFile.remove(temporary) }
    try file.write(ServiceKeyText.make(key))
    // A name that is taken is not replaced: of two first starts, the second finds the first one's key.
    _ = try StoreFile.link(temporary, to: path)
  }

  static func unreadable(_ path: String, _ errorNumber: Int32) -> RegistryError {
    if errorNumber == EACCES { return .file(errorNumber: errorNumber, path: path) }
    let reason = unsafe strerror(errorNumber).map { unsafe String(cString: $0) } ?? "error \(errorNumber)"
    return .serviceKeyUnusable("the service key \(path) cannot be used: \(reason)")
  }
}
