internal import EndpointRegistry
internal import Glibc

/// Whether the store answers, takes a change, and has room to grow.
struct StoreWriteCheck {
  /// Below it the operator is warned: a day of the busiest service we measured, and the room that a sweep needs.
  static let roomOctets: UInt64 = 256 * 1_048_576

  let store: any RegistryStore
  let path: String?
  /// Octets that this user may still write beside a file.
  var room: @Sendable (String) -> UInt64? = { StoreWriteCheck.room(at: $0) }

  func finding() async -> DoctorFinding {
    let watch = Stopwatch()
    do throws(RegistryError) {
      try await store.check()
      try await store.checkWrite()
    } catch {
      return StoreFault(error).finding.took(watch.milliseconds)
    }
    guard let path, let room = room(path) else {
      return .ok(.store, "it reads and writes").took(watch.milliseconds)
    }
    let seen = "it reads and writes; \(Self.text(room)) free on its disk"
    guard room >= Self.roomOctets else {
      return .warning(
        .store, seen, cause: "little room is left: when it is gone, no alert can be kept",
        fix: "free room on the disk of \(path)"
      ).took(watch.milliseconds)
    }
    return .ok(.store, seen).took(watch.milliseconds)
  }

  /// Octets that this user may still write beside the file at `path`.
  private static func room(at path: String) -> UInt64? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
  }

  private static func text(_ octets: UInt64) -> String {
    let mebibytes = octets / 1_048_576
    return mebibytes < 10_240 ? "\(mebibytes) MiB" : "\(mebibytes / 1_024) GiB"
  }
}
