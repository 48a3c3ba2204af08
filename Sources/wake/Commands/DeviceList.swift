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

  /// Writes a page: rows in columns, or the next elements of the one JSON array.
  mutating func add(_ devices: [Device]) throws(CommandError) {
    guard !devices.isEmpty else { return }
    let isFirst = last == nil
    let now = invocation.now
    last = devices.last?.id
    if invocation.json {
      let elements = devices.map { Presentation.listedDevice($0, at: now).text }.joined(separator: ",\n")
      try invocation.write((isFirst ? "[" : ",") + elements)
    } else {
      let lines = columns.lines((isFirst ? [Self.head] : []) + devices.map { Self.row($0, at: now) })
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

  private static func row(_ device: Device, at: Int64) -> [String?] {
    [
      device.id.text, device.stackLabel, device.label, device.state(at: at).rawValue, device.pushServer,
      device.endpointDigest, device.lastWakeAt.map(Presentation.time),
      device.lastReceiptAt.map(Presentation.time),
    ]
  }
}
