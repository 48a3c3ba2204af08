package import CryptoPrimitives
package import EndpointRegistry
internal import Glibc

extension Configuration {
  /// Opens the store, for the server and for the command line alike.
  ///
  /// - Parameter create: whether a store, and its key, is made where there is none. Only `serve` and `stack add`
  ///   may: any other command says where it looked.
  package func openStore(create: Bool, random: RandomOctets = .system) throws(RegistryError) -> SQLiteStore {
    do { try Algorithms.prepare() } catch { throw .cryptography(operation: "prepare") }
    let exists = unsafe access(databasePath, F_OK) == 0
    guard exists || create else { throw .storeMissing(databasePath) }
    let key = try serviceKey.loadOrCreate(storeExists: exists, random: random)
    return try SQLiteStore.open(at: databasePath, serviceKey: key, create: create, random: random)
  }
}
