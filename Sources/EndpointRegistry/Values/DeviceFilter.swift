/// Which devices are wanted; what is nil does not narrow.
package struct DeviceFilter: Sendable, Equatable {
  /// Of one stack.
  package var stack: StackID?
  /// Registered before this time, and with no receipt since.
  package var silentSince: Int64?

  /// All members.
  package init(stack: StackID? = nil, silentSince: Int64? = nil) {
    self.stack = stack
    self.silentSince = silentSince
  }
}
