internal import EndpointRegistry

/// What a companion has registered: whether there is anything to wake.
struct RegistrationCheck {
  let device: Device
  let at: Int64

  var finding: DoctorFinding {
    guard device.pushServer == nil else {
      return .ok(
        .registration, "\(device.temporary ? "a stand-in" : "a subscription") at \(device.pushServer ?? "")")
    }
    if let gone = device.gone {
      return .fault(
        .registration, "its endpoint is gone since \(LocalTime.words(gone.at))",
        cause: "\(gone.pushServer) said \(gone.status): the subscription has ended, and was erased"
          + (gone.status == 404 ? "; or a proxy in front of it said so, with a page of its own" : ""),
        fix: "open the app on the phone and let it register again, or pair it anew: wake pair \(device.stack)"
      )
    }
    return .fault(
      .registration, "it has no subscription",
      cause: "the app has no push server: no distributor is installed or chosen on the phone",
      fix:
        "install a distributor on the phone (ntfy, Sunup, NextPush), choose it in the app, and let it register again"
    )
  }

  /// A row that no wake can be made of.
  static let unreadable = DoctorFinding.fault(
    .registration, "its row in the store cannot be read",
    cause: "it was changed by something else than this program",
    fix: "remove it and pair the phone again: wake device revoke DEVICE")
}
