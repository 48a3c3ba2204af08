import COpenSSL

/// An OpenSSL object that is never changed once it is made: a fetched algorithm, a curve, a template, a key.
/// OpenSSL lets any number of threads read such an object at once (`openssl-threads(7)`), so what is kept is its
/// address, which may cross threads; a lock would make every thread wait for the others' work. Does not free.
struct OpenSSLConstant: Sendable {
  private let address: UInt

  /// Keeps `pointer`, which nobody may change from now on.
  init(keeping pointer: OpaquePointer?, _ operation: StaticString) throws(CryptoError) {
    let pointer = unsafe try OpenSSLResult.check(pointer, operation)
    address = UInt(bitPattern: pointer)
  }

  /// The object, to be read only.
  var pointer: OpaquePointer {
    guard let pointer = unsafe OpaquePointer(bitPattern: address) else {
      preconditionFailure("the address of an object is never zero")
    }
    return unsafe pointer
  }
}
