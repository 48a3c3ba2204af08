/// A device that lost its endpoint.
package struct ErasedEndpoint: Sendable, Equatable {
  /// The device.
  package let device: DeviceID
  /// The origin of the push server that said so.
  package let pushServer: String
}
