package import CryptoPrimitives
internal import Glibc

/// Where the service key comes from. It wraps the store's data key: without it, nothing sealed can be read.
package enum ServiceKeySource: Sendable, Equatable {
  /// A file of mode 0600, made at the first start.
  case file(String)
  /// A credential that systemd hands over: its name in `$CREDENTIALS_DIRECTORY`.
  case systemdCredential(String)
  /// What a shell command prints.
  case command(String)

  /// The key; `serviceKeyUnusable` says what is wrong and what to do, `serviceKeyCommand` what is wrong with a command.
  package func load() throws(RegistryError) -> SecretOctets {
    switch self {
    case .file(let path):
      return try ServiceKeyFile.load(path)
    case .systemdCredential(let name):
      return try ServiceKeyFile.loadCredential(name, folder: Self.credentialsFolder)
    case .command(let command):
      let output = try ServiceKeyCommand.run(command)
      do throws(RegistryError) {
        return try ServiceKeyText.parse(output, from: "what the service key command printed")
      } catch .serviceKeyUnusable(let sentence) {
        throw .serviceKeyCommand(sentence)
      }
    }
  }

  /// The key, made where it is a file, the file is missing, and there is no store yet that another key belongs to.
  /// Of several first starts at once, all get the one key that is kept.
  package func loadOrCreate(
    storeExists: Bool, random: RandomOctets
  ) throws(RegistryError) -> SecretOctets {
    guard case .file(let path) = self, try !ServiceKeyFile.exists(path) else { return try load() }
    guard !storeExists else {
      throw .serviceKeyUnusable(
        "the service key \(path) is missing, and the store cannot be read without it: "
          + "put the file back, or name it with WAKE_SERVICE_KEY_FILE")
    }
    try ServiceKeyFile.create(path, key: random(StoreKeys.keyLength), random: random)
    return try load()
  }

  private static var credentialsFolder: String? {
    unsafe getenv("CREDENTIALS_DIRECTORY").map { unsafe String(cString: $0) }
  }
}
