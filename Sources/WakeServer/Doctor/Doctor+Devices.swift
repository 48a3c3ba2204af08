internal import EndpointRegistry
internal import PushDelivery

extension Doctor {
  /// Devices that are named one by one; more are counted.
  static let devicesNamed = 20
  /// Devices that are looked at in search of them.
  private static let devicesMaximum = 100_000

  /// Warns of devices whose last wakes did not arrive, and of those that no alert wakes.
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
        guard Self.needsLook(device.state(at: at)) || device.isMutedForAll else { continue }
        amiss += 1
        if amiss <= Self.devicesNamed, let warning = try await warning(of: device, at: at) {
          examination.add(warning)
        }
      }
    } while page.count == Limits.pageRows && all < Self.devicesMaximum && examination.isWanted()
    if all >= Self.devicesMaximum {
      examination.add(.skipped(.devices, "devices beyond the first \(all) were not looked at"))
    }
    guard amiss > Self.devicesNamed else {
      return examination.add(
        DoctorFinding.ok(.devices, "\(all - amiss) of \(all) need no look").took(watch.milliseconds))
    }
    examination.add(
      DoctorFinding.warning(
        .devices, "\(amiss - Self.devicesNamed) more",
        cause: "their last wakes did not arrive either, or they are muted",
        fix: "wake device list shows all"
      ).took(watch.milliseconds))
  }

  private static func needsLook(_ state: DeviceState) -> Bool {
    switch state {
    case .silent, .gone, .undelivered, .held: true
    case .noPush, .unconfirmed, .confirmed: false
    }
  }

  private func warning(of device: Device, at: Int64) async throws(RegistryError) -> DoctorFinding? {
    let state = device.state(at: at)
    let seen: String
    let cause: String
    var fix = "wake doctor \(device.id)"
    switch state {
    case .silent:
      seen = "silent: its last receipt came \(device.lastReceiptAt.map(LocalTime.words) ?? "never")"
      cause = Explanation.noReceipt(pushServer: device.pushServer).cause
    case .gone:
      seen = "gone: \(device.gone.map { "\($0.pushServer) said \($0.status)" } ?? "its endpoint was erased")"
      cause = "its subscription has ended"
      fix = "open the app on that phone and let it register again"
    case .undelivered:
      seen = "undelivered: \(device.delivery.lastOutcome?.rawValue ?? "its last wake did not arrive")"
      cause = "its last wake did not arrive"
    case .held:
      seen = "held until \(device.delivery.hold.end(at: at).map(LocalTime.words) ?? "its end")"
      let why = try await PauseCheck(store: store, at: at)
        .why(device.id, of: device.stack, at: device.pushServer ?? "")
      (cause, fix) = (why.cause, why.fix)
    case .noPush, .unconfirmed, .confirmed:
      guard let mutes = WakeRulesCheck.mutes(of: device) else { return nil }
      (seen, cause) = (mutes, Explanation.muted.cause)
      fix = "if that is not meant: wake device mute \(device.id) none"
    }
    var finding = DoctorFinding.warning(.devices, seen, cause: cause, fix: fix).about(device.pushServer)
    finding.device = device.id
    return finding
  }
}
