/// How an endpoint died: the push server answered 404 or 410.
package struct Gone: Sendable, Equatable {
  /// Milliseconds since 1970.
  package let at: Int64
  /// The origin of the push server.
  package let pushServer: String
  /// 404 or 410.
  package let status: Int

  /// All members, for stores and tests.
  package init(at: Int64, pushServer: String, status: Int) {
    self.at = at
    self.pushServer = pushServer
    self.status = status
  }
}
