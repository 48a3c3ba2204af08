/// That an endpoint is to be erased: its push server knows it no more.
package struct Erasure: Sendable, Equatable {
  /// The keyed digest of the endpoint.
  package let endpointDigest: [UInt8]
  /// A subscription that changed after this generation is let alone, for it is not what the push server spoke of.
  package let generation: Int64
  /// 404 or 410.
  package let status: Int
  /// The origin of the push server.
  package let pushServer: String

  /// All members.
  package init(endpointDigest: [UInt8], generation: Int64, status: Int, pushServer: String) {
    self.endpointDigest = endpointDigest
    self.generation = generation
    self.status = status
    self.pushServer = pushServer
  }
}
