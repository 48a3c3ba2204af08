/// Where this service itself listens, so that no endpoint makes it wake itself in a circle.
package struct OwnListeners: Sendable {
  private let ports: Set<Int>
  private let addresses: @Sendable () -> Set<IPAddress>

  /// None: nothing is refused on this account.
  package static let none = OwnListeners(ports: []) { [] }

  /// Listeners on `ports` of any of `addresses`, which is asked each time: interfaces come and go.
  package init(ports: Set<Int>, addresses: @escaping @Sendable () -> Set<IPAddress>) {
    self.ports = ports
    self.addresses = addresses
  }

  /// Whether a connection to that place would be one to ourselves.
  func contains(_ address: IPAddress, port: Int) -> Bool {
    ports.contains(port) && addresses().contains(address)
  }
}
