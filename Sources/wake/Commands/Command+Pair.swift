import EndpointRegistry
import StrictJSON
import WakeServer

extension Command {
  static let pair = Command(
    "pair", ["STACK"], summary: "make a one-time code that adds a phone",
    discussion: """
      The code lives for 15 minutes and registers one device. The link holds what a companion needs: the
      service's address (WAKE_PUBLIC_URL), the stack, its VAPID key, the fingerprint of the service's own
      certificate where it has one, and the code. A terminal that is wide enough shows it as a QR code too;
      NO_COLOR draws that without colours.
      """,
    settings: Setting.ofPairing
  ) { invocation throws(CommandError) in
    let configuration = try invocation.configuration()
    guard let publicURL = configuration.publicURL else {
      throw .usage("say how companions reach the service: set WAKE_PUBLIC_URL (--public-url)")
    }
    guard let baseURL = PairingLink.baseURL(publicURL) else {
      throw .usage(
        "WAKE_PUBLIC_URL (--public-url) must name a host, and neither a user nor a query: https://HOST")
    }
    let fingerprint: String?
    do throws(CertificateFileError) { fingerprint = try configuration.pinnedFingerprint() } catch {
      throw CommandError(error)
    }
    let name = invocation.operands[0]
    let now = invocation.now
    let expiresAt = now + Limits.pairingMilliseconds
    let (stack, code) = try await invocation.withStore { store throws(RegistryError) in
      let stack = try await store.stack(matching: name)
      return (stack, try await store.addPairing(stack: stack.id, at: now, expiresAt: expiresAt))
    }
    let link = PairingLink(
      baseURL: baseURL, stack: stack.id.text, vapidPublicKey: stack.vapidPublicKey,
      fingerprint: fingerprint, code: code.text, expires: expiresAt / 1_000)
    try invocation.answer(
      Presentation.pairing(code, uri: link.uri, stack: stack.id, expiresAt: expiresAt),
      people: PairingSheet(
        link: link, expiresAt: LocalTime.words(expiresAt),
        screen: .standardOutput(invocation.environment)
      ).lines)
    // Last, where it is seen: a code that leads nowhere is worth less than this line.
    if let warning = PairingWarning(baseURL: baseURL) { invocation.remark("warning: \(warning.line)") }
  }
}
