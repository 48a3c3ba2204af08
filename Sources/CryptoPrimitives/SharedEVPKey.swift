/// The OpenSSL key that the copies of a Swift value share.
final class SharedEVPKey: Sendable {
  let handle: EVPKey

  init(_ handle: consuming EVPKey) {
    self.handle = handle
  }
}
