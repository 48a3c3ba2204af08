/// What is in a backup, as its manifest says.
package struct BackupContents: Sendable, Equatable {
  /// Milliseconds since 1970.
  package let madeAt: Int64
  /// The version of the store's schema.
  package let schema: Int
  package let stacks: Int64
  package let devices: Int64
  package let alerts: Int64
  /// Whether the service key is in it, under a passphrase.
  package let hasKey: Bool
}
