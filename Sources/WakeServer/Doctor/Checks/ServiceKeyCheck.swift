internal import CryptoPrimitives
internal import Dispatch
internal import EndpointRegistry

/// Whether the service key would open the store at the next start: a running service does not need it any more, and
/// whoever moved it finds out too late.
struct ServiceKeyCheck {
  let store: any RegistryStore
  let source: ServiceKeySource?

  func finding() async -> DoctorFinding {
    guard let source else { return .skipped(.serviceKey, "it is not looked at here") }
    let watch = Stopwatch()
    do throws(RegistryError) {
      let key = try await Self.load(source).get()
      guard try await store.isOpened(by: key) else {
        throw .serviceKeyUnusable("the service key is not the one that this store was made with")
      }
      return .ok(.serviceKey, "it opens the store").took(watch.milliseconds)
    } catch {
      return StoreFault(error).finding.took(watch.milliseconds)
    }
  }

  /// Reads it on a thread that may wait: it may come from a command.
  private static func load(_ source: ServiceKeySource) async -> Result<SecretOctets, RegistryError> {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "wake.doctor.service-key").async {
        do throws(RegistryError) {
          continuation.resume(returning: .success(try source.load()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
  }
}
