/// The links of the chain from the configuration to the receipt, in its order: the closed list of what the doctor
/// looks at. The raw values are on the wire.
package enum DoctorLink: String, Sendable, CaseIterable {
  // The service itself.
  case configuration
  case store
  case serviceKey = "service-key"
  /// Whether a server answers on the admin socket; looked at where the command had to examine by itself.
  case server
  case publicURL = "public-url"
  /// The certificate that the public URL shows.
  case certificate

  // The way to a push server.
  /// What the companion registered.
  case registration
  case nameResolution = "name-resolution"
  case addressPolicy = "address-policy"
  case connection
  case tls
  /// All of the way there in one, which is what a companion is told.
  case reach
  /// Whether a wake was made and went out.
  case wake
  /// Our clock, beside what a push server says of the time.
  case clock
  /// What the push server said.
  case answer
  case receipt

  /// Registrations whose last wakes did not arrive.
  case devices

  /// What people read.
  package var title: String {
    switch self {
    case .configuration: "configuration"
    case .store: "store"
    case .serviceKey: "service key"
    case .server: "server"
    case .publicURL: "public URL"
    case .certificate: "certificate"
    case .registration: "registration"
    case .nameResolution: "name resolution"
    case .addressPolicy: "address policy"
    case .connection: "connection"
    case .tls: "TLS"
    case .reach: "way there"
    case .wake: "wake"
    case .clock: "clock"
    case .answer: "answer"
    case .receipt: "receipt"
    case .devices: "devices"
    }
  }
}
