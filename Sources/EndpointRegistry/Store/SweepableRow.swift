/// A row that has had its time, as a reader found it. It may have changed since.
enum SweepableRow: Sendable {
  case alert(Int64)
  case attempt(Int64)
  case device(Int64)
  case endpointHold([UInt8])
  case originHold(String)
  case pairing([UInt8])
  case pushServer(stack: Int64, origin: String)
  case revokedToken([UInt8])
  case vapidKey(Int64)

  /// What it is.
  var subject: SweepStep.Subject {
    switch self {
    case .alert: .alerts
    case .attempt: .attempts
    case .device: .devices
    case .endpointHold, .originHold: .holds
    case .pairing: .pairings
    case .pushServer: .pushServers
    case .revokedToken: .revokedTokens
    case .vapidKey: .vapidKeys
    }
  }

  /// Rows of one subject that one step removes: a millisecond of the writer's time.
  static let perStep: Int64 = 200
}
