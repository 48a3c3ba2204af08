internal import CryptoPrimitives
internal import Dispatch
package import HTTPListener
internal import Synchronization

/// Keeps what the listeners show the same as what the files hold, without dropping a connection.
package final class CertificateWatch: Sendable {
  /// How often the files are looked at.
  static let interval: Duration = .seconds(1)
  /// How long before a certificate's end the operator is warned: ACME clients renew 30 days before, so by then they have
  /// failed for a week.
  static let warningMilliseconds: Int64 = 21 * 86_400_000
  /// How often the warning is said again.
  private static let repeatMilliseconds: Int64 = 86_400_000

  /// What the listeners show.
  package let identities: TLSIdentitySlot

  private struct State {
    /// The files as they were before they were last read well.
    var mark: [FileMark?]
    /// The files that could not be used, as they were when the operator was told.
    var complaint: [FileMark?]?
    var certificate: Certificate
    var warnedAt: Int64?
  }

  private let files: CertificateFiles
  private let clock: WallClock
  private let log: Log
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "wake.certificate")

  /// Reads the files, and says what they hold.
  package init(_ files: CertificateFiles, clock: WallClock, log: Log) throws(CertificateFileError) {
    // Taken before the files are read: what is written meanwhile shows as a change.
    let mark = files.mark
    let loaded = try ServerCertificate(reading: files)
    (self.files, self.clock, self.log) = (files, clock, log)
    identities = TLSIdentitySlot(loaded.identity)
    state = Mutex(State(mark: mark, certificate: loaded.certificate))
    log.info("TLS with the certificate \(Self.text(of: loaded.certificate))")
    warn()
  }

  /// Looks again and again until it is cancelled. Files are read on a thread that may wait for them.
  package func run() async {
    while (try? await Task.sleep(for: Self.interval)) != nil { await lookAside() }
  }

  /// Looks once, on the thread that may wait for files.
  func lookAside() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.look()
        continuation.resume()
      }
    }
  }

  /// Looks at the files once, and shows what they hold from now on where they have changed and belong together. Otherwise
  /// what was shown stays; the operator is told once, and every look tries again.
  package func look() {
    let mark = files.mark
    let known = state.withLock { state in
      if state.mark == mark { state.complaint = nil }
      return (mark: state.mark, complaint: state.complaint, certificate: state.certificate)
    }
    defer { warn() }
    guard known.mark != mark else { return }
    do throws(CertificateFileError) {
      let loaded = try ServerCertificate(reading: files)
      identities.exchange(for: loaded.identity)
      state.withLock { state in
        (state.mark, state.complaint, state.certificate) = (mark, nil, loaded.certificate)
        if loaded.certificate != known.certificate { state.warnedAt = nil }
      }
      if loaded.certificate != known.certificate {
        log.info("new connections are shown the certificate \(Self.text(of: loaded.certificate))")
      }
    } catch {
      if known.complaint != mark {
        log.warning("the new certificate is not used, the old one stays: \(error)")
        state.withLock { $0.complaint = mark }
      }
    }
  }

  private func warn() {
    let now = clock.now()
    let ending: Int64? = state.withLock { state in
      let end = state.certificate.notAfterSeconds * 1_000
      let isDue = state.warnedAt.map { now - $0 >= Self.repeatMilliseconds } ?? true
      guard end - now < Self.warningMilliseconds, isDue else { return nil }
      state.warnedAt = now
      return end
    }
    guard let ending else { return }
    let verb = ending < now ? "ended" : "ends"
    log.warning("the certificate \(verb) on \(LocalTime.words(ending)): replace \(files.certificate)")
  }

  private static func text(of certificate: Certificate) -> String {
    "\(certificate.fingerprint), valid until \(LocalTime.words(certificate.notAfterSeconds * 1_000))"
  }
}
