package import EndpointRegistry

/// Why the service does not start.
package enum ServiceError: Error, Sendable, CustomStringConvertible {
  /// Another server works on the store; the path of its lock.
  case inUse(String)
  /// The store cannot be opened.
  case store(RegistryError)
  /// Anything else, in one line.
  case cannotStart(String)

  package var description: String {
    switch self {
    case .inUse(let path): "another server is running on this store (it holds \(path))"
    case .store(let error): "\(error)"
    case .cannotStart(let reason): reason
    }
  }
}
