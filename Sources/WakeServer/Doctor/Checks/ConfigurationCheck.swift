/// The configuration that the service was started with: a wrong value would have kept it from starting, so there are
/// but warnings.
struct ConfigurationCheck {
  let settings: DoctorSettings

  var findings: [DoctorFinding] {
    let watch = Stopwatch()
    return judged.map { $0.took(watch.milliseconds) }
  }

  private var judged: [DoctorFinding] {
    guard !settings.warnings.isEmpty else {
      return [.ok(.configuration, "every setting is of the right form")]
    }
    return settings.warnings.map { warning in
      .warning(
        .configuration, "the service was started with a warning", cause: warning,
        fix:
          "change the setting that is named, and start `wake serve` again; or leave it, where it is meant so")
    }
  }
}
