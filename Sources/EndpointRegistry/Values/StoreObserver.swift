/// Who is told how the store fares. Called on its threads and its callers', so it must be quick.
package struct StoreObserver: Sendable {
  /// A transaction of the writer was committed, so many seconds after its begin.
  package let committed: @Sendable (_ seconds: Double) -> Void
  /// A change was not kept.
  package let failed: @Sendable (RegistryError) -> Void

  package init(
    committed: @escaping @Sendable (_ seconds: Double) -> Void,
    failed: @escaping @Sendable (RegistryError) -> Void
  ) {
    self.committed = committed
    self.failed = failed
  }
}
