/// What was asked for.
struct Options: Sendable {
  /// One JSON document instead of a table.
  var json = false
  /// The one section that is measured; nil is all of them but the peers.
  var only: Section?
  /// Devices that are registered for the figures of memory and fan-out.
  var devices = 100_000
  /// Devices in the registry alone.
  var registryDevices = 1_000_000
  /// Devices of the stack that the storm comes from.
  var stormDevices = 10_000
  /// Devices on one push server that a delivery goes to.
  var deliveryDevices = 10_000
  /// Push servers with one device each.
  var origins = 2_000
  /// How long each rate is measured.
  var seconds = 5

  static let usage =
    """
    usage: WakeBench [--json] [--seconds N] [--devices N] [--delivery-devices N] [--origins N]
                     [--storm-devices N] [--registry-devices N]
                     [\(Section.allCases.map { "--\($0.rawValue)-only" }.joined(separator: " | "))]

    """

  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--json" {
        json = true
      } else if let section = Section.allCases.first(where: { argument == "--\($0.rawValue)-only" }) {
        only = section
      } else {
        guard let number = rest.popFirst().flatMap({ Int($0) }), number > 0 else { return nil }
        switch argument {
        case "--devices": devices = number
        case "--registry-devices": registryDevices = number
        case "--storm-devices": stormDevices = number
        case "--delivery-devices": deliveryDevices = number
        case "--origins": origins = number
        case "--seconds": seconds = number
        default: return nil
        }
      }
    }
  }
}
