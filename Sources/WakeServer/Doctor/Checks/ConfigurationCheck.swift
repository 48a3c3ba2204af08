internal import PushDelivery

/// The configuration that the service was started with. A wrong value would have kept it from starting, so there are
/// warnings, and what was changed under it since: the file of authorities.
struct ConfigurationCheck {
  let settings: DoctorSettings

  var findings: [DoctorFinding] {
    let watch = Stopwatch()
    return judged.map { $0.took(watch.milliseconds) }
  }

  private var judged: [DoctorFinding] {
    let all = warnings + [authorities].compactMap { $0 }
    return all.isEmpty ? [.ok(.configuration, "every setting is of the right form")] : all
  }

  private var warnings: [DoctorFinding] {
    settings.warnings.map { warning in
      .warning(
        .configuration, "the service was started with a warning", cause: warning,
        fix:
          "change the setting that is named, and start `wake serve` again; or leave it, where it is meant so")
    }
  }

  /// The file of further authorities, looked at as a sender does when it is made; nil where there is nothing to say.
  private var authorities: DoctorFinding? {
    guard let file = settings.pushCAFile else { return nil }
    do throws(PushDeliveryError) {
      try PushSender.check(caFile: file)
      return nil
    } catch {
      return .fault(
        .configuration, "\(error)", NetworkReason.authoritiesUnreadable.explanation(nil))
    }
  }
}
