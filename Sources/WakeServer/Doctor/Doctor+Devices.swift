internal import EndpointRegistry
internal import PushDelivery

extension Doctor {
  /// Devices that are named one by one; more are counted.
  static let devicesNamed = 20
  /// Devices that are looked at in search of them.
  private static let devicesMaximum = 100_000

  /// Warns of devices whose last wakes did not arrive.
  func examineDevices(_ examination: Examination) async throws(RegistryError) {
    let watch = Stopwatch()
    let at = clock.now()
    var last: DeviceID?
    var (all, amiss) = (0, 0)
    var page: [Device]
    repeat {
      page = try await store.devices(DeviceFilter(), after: last, limit: Limits.pageRows)
      last = page.last?.id
      all += page.count
      for device in page {
        guard let warning = Self.warning(of: device, at: at) else { continue }
        amiss += 1
        if amiss <= Self.devicesNamed { examination.add(warning) }
      }
    } while page.count == Limits.pageRows && all < Self.devicesMaximum && examination.isWanted()
    guard amiss > Self.devicesNamed else {
      return examination.add(
        DoctorFinding.ok(.devices, "\(all - amiss) of \(all) need no look").took(watch.milliseconds))
    }
    examination.add(
      DoctorFinding.warning(
        .devices, "\(amiss - Self.devicesNamed) more", cause: "their last wakes did not arrive either",
        fix: "wake device list shows all"
      ).took(watch.milliseconds))
  }

  private static func warning(of device: Device, at: Int64) -> DoctorFinding? {
    let state = device.state(at: at)
    let seen: String
    let cause: String
    switch state {
    case .silent:
      seen = "silent: its last receipt came \(device.lastReceiptAt.map(LocalTime.words) ?? "never")"
      cause = Explanation.noReceipt(pushServer: device.pushServer).cause
    case .gone:
      seen = "gone: \(device.gone.map { "\($0.pushServer) said \($0.status)" } ?? "its endpoint was erased")"
      cause = "its subscription has ended"
    case .undelivered:
      seen = "undelivered: \(device.delivery.lastOutcome?.rawValue ?? "its last wake did not arrive")"
      cause = "its last wake did not arrive"
    case .noPush, .unconfirmed, .confirmed, .held: return nil
    }
    var finding = DoctorFinding.warning(
      .devices, seen, cause: cause,
      fix: state == .gone
        ? "open the app on that phone and let it register again" : "wake doctor \(device.id)"
    ).about(device.pushServer)
    finding.device = device.id
    return finding
  }
}
