import Synchronization

/// Octets that nobody may read by accident: overwritten when the last reference goes, compared in constant
/// time, and never part of a description. What `octets` hands out is an ordinary array and no longer guarded.
package struct SecretOctets: Sendable {
  private final class Storage: Sendable {
    let octets: Mutex<[UInt8]>

    init(copying octets: [UInt8]) {
      // A copy of our own: no other array shares the buffer that is overwritten at the end.
      self.octets = Mutex([UInt8](unsafe octets.withUnsafeBufferPointer { unsafe Array($0) }))
    }

    deinit { octets.withLock { $0.cleanse() } }
  }

  private let storage: Storage

  /// Copies `octets`; the caller's array stays the caller's to cleanse.
  package init(_ octets: [UInt8]) {
    storage = Storage(copying: octets)
  }

  /// The number of octets.
  package var count: Int { storage.octets.withLock { $0.count } }

  /// The octets. Keep them no longer than needed.
  package var octets: [UInt8] { storage.octets.withLock { $0 } }

  /// Calls `body` with the octets.
  package func withOctets<R, E>(_ body: ([UInt8]) throws(E) -> R) throws(E) -> R {
    try body(octets)
  }
}

extension SecretOctets: Equatable {
  /// Equal in constant time for equal lengths.
  package static func == (left: SecretOctets, right: SecretOctets) -> Bool {
    ConstantTime.equal(left.octets, right.octets)
  }
}

extension SecretOctets: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Says nothing.
  package var description: String { "<redacted>" }
  /// Says nothing.
  package var debugDescription: String { "<redacted>" }
  /// Shows nothing to `dump` and to debuggers that reflect.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
