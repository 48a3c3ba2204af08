internal import EndpointRegistry
internal import KindCatalogue
internal import PushDelivery

/// What keeps alerts from waking a device, or lets them wait, although a test wake goes to it at once: its mutes, and the
/// rules of its stack.
struct WakeRulesCheck {
  let device: Device
  let stack: Stack
  /// That of the service, where the stack has none of its own.
  let windowSeconds: Int

  /// Warnings alone; none where alerts go as a test wake does.
  var findings: [DoctorFinding] { [Self.muted(device), quiet, window].compactMap(\.self) }

  /// Of its mutes; nil where it has none.
  static func muted(_ device: Device) -> DoctorFinding? {
    mutes(of: device).map { seen in
      .warning(
        .registration, seen, cause: Explanation.muted.cause,
        fix: "if that is not meant: wake device mute \(device.id) none, or change it in the app")
    }
  }

  /// What it is muted for, in words; nil where that is nothing.
  static func mutes(of device: Device) -> String? {
    guard !device.muted.isEmpty else { return nil }
    guard !device.isMutedForAll else { return "muted for every kind: no alert wakes it" }
    return "muted for \(names(device.muted))"
  }

  private var quiet: DoctorFinding? {
    guard !stack.quiet.isEmpty else { return nil }
    return .warning(
      .registration, "alerts of its stack that are of \(Self.names(stack.quiet)) wake nobody",
      cause: "the stack keeps that quiet, unless its core asks for a wake",
      fix: "if that is not meant: wake stack set \(stack.id) --quiet none")
  }

  private var window: DoctorFinding? {
    let seconds = stack.windowSeconds ?? windowSeconds
    let usual = Configuration.defaultWindowSeconds
    guard seconds > usual else { return nil }
    let setting =
      stack.windowSeconds == nil ? "set WAKE_WINDOW" : "wake stack set \(stack.id) --window SECONDS"
    return .warning(
      .registration, "an alert may wait for up to \(seconds) s behind another",
      cause: "that is the window in which the device gets one wake for several alerts; \(usual) s are usual",
      fix: "if that is not meant: \(setting)")
  }

  private static func names(_ kinds: [Kind]) -> String { kinds.map(\.name).joined(separator: ", ") }
}

extension Device {
  /// Whether no alert of any kind wakes it.
  var isMutedForAll: Bool { muted.count == Kind.allCases.count }
}
