import EndpointRegistry
import StrictJSON
import WakeServer

/// A list of devices on its way out, page by page: nothing of it is kept but where it stands.
struct DeviceList: Sendable {
  let invocation: Invocation
  /// The last device that was written.
  private(set) var last: DeviceID?
  private var columns = Table.Columns(count: head.count)

  private static let head = [
    "DEVICE", "STACK", "LABEL", "STATE", "PUSH SERVER", "ENDPOINT", "LAST WAKE", "LAST RECEIPT",
  ]

  init(invocation: Invocation) { self.invocation = invocation }

  /// Writes a page: rows in columns, or the next elements of the one JSON array. `faulty` are those of it whose
  /// subscription cannot be read, so that they cannot be woken.
  mutating func add(_ devices: [Device], faulty: Set<DeviceID>) throws(CommandError) {
    guard !devices.isEmpty else { return }
    let isFirst = last == nil
    let now = invocation.now
    last = devices.last?.id
    if invocation.json {
      let elements = devices.map { device in
        guard case .object(var object) = Presentation.listedDevice(device, at: now) else { return "null" }
        object["faulty"] = .bool(faulty.contains(device.id))
        return JSONValue.object(object).text
      }.joined(separator: ",\n")
      try invocation.write((isFirst ? "[" : ",") + elements)
    } else {
      let lines = columns.lines(
        (isFirst ? [Self.head] : []) + devices.map { Self.row($0, isFaulty: faulty.contains($0.id), at: now) }
      )
      try invocation.write(lines.joined(separator: "\n"))
    }
  }

  /// Ends the array, or says that there was nothing.
  func end(empty: String) throws(CommandError) {
    switch (invocation.json, last) {
    case (true, nil): try invocation.write("[]")
    case (true, _?): try invocation.write("]")
    case (false, nil): try invocation.write(empty)
    case (false, _?): break
    }
  }

  private static func row(_ device: Device, isFaulty: Bool, at: Int64) -> [String?] {
    [
      device.id.text, device.stackLabel, device.label, isFaulty ? "faulty" : device.state(at: at).rawValue,
      device.pushServer,
      device.endpointDigest, device.lastWakeAt.map(LocalTime.words),
      device.lastReceiptAt.map(LocalTime.words),
    ]
  }
}

extension WakeStore {
  /// Those of `devices` whose subscription cannot be read: their rows were broken or moved, and they must pair again.
  func faulty(among devices: [Device]) async throws(RegistryError) -> Set<DeviceID> {
    var faulty: Set<DeviceID> = []
    for device in devices where device.pushServer != nil {
      do throws(RegistryError) {
        _ = try await wakeTarget(device.id)
      } catch .sealBroken {
        faulty.insert(device.id)
      }
    }
    return faulty
  }
}
