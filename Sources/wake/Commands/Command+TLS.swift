import CryptoPrimitives
import StrictJSON
import WakeServer

extension Command {
  static let tls = [tlsInit, tlsShow]

  private static let force = Option(
    "--force", help: "replace what is there: phones that pinned it must pair again")

  private static let tlsInit = Command(
    "tls init", summary: "make a certificate of the service's own, and turn TLS on",
    discussion: """
      Makes a key and a certificate that it signs itself, and puts them into the state folder as tls.key and
      tls.crt; `wake serve` uses them from its next start on. Phones pin the certificate when they pair, so that
      no authority is needed. It names the host of WAKE_PUBLIC_URL, or those given by --host, and this machine.
      """,
    options: [
      Option("--host", "NAME", repeats: true, help: "a name or an address, or several by commas"), force,
    ],
    settings: Setting.ofCertificate
  ) { invocation throws(CommandError) in
    let configuration = try invocation.configuration()
    guard !configuration.namesCertificate else {
      throw .usage(
        "WAKE_TLS_CERT_FILE and WAKE_TLS_KEY_FILE name another certificate: take both out, then: wake tls init"
      )
    }
    let hosts = try hosts(invocation, configuration)
    let files = configuration.stateFolder.certificateFiles
    let isReplacement = configuration.stateFolder.holdsCertificate
    let certificate: Certificate
    do throws(ConfigurationError) { try configuration.stateFolder.create() } catch {
      throw CommandError(error)
    }
    do throws(CertificateFileError) {
      certificate = try CertificateMaking.make(
        at: files, hosts: hosts, replaces: invocation.has(force), nowMilliseconds: invocation.now)
    } catch { throw CommandError(error) }
    let cost = "Every phone that pinned the old certificate must pair again: `wake pair STACK`."
    if isReplacement, invocation.json { try? FileHandleOutput.standardError.write("wake: \(cost)\n") }
    try invocation.answer(
      document(certificate, files),
      people: lines(certificate, files) + [
        "", isReplacement ? cost : "`wake serve` speaks TLS from its next start on.",
      ])
  }

  private static let tlsShow = Command(
    "tls show", summary: "show the certificate in use", settings: Setting.ofCertificate
  ) {
    invocation throws(CommandError) in
    let configuration = try invocation.configuration()
    let certificate: Certificate?
    do throws(CertificateFileError) { certificate = try configuration.certificate() } catch {
      throw CommandError(error)
    }
    guard let certificate, let files = configuration.tls else {
      throw .failed("the service has no certificate and speaks plain HTTP; `wake tls init` makes one")
    }
    try invocation.answer(document(certificate, files), people: lines(certificate, files))
  }

  /// Whom the certificate is for: those named, or the host of the public URL; and this machine.
  private static func hosts(_ invocation: Invocation, _ configuration: Configuration) throws(CommandError)
    -> [CertificateHost]
  {
    var hosts: [CertificateHost] = []
    if let given = invocation.value("--host") {
      for text in given.split(separator: ",", omittingEmptySubsequences: false) {
        guard let host = CertificateHost(parsing: String(text)) else {
          throw .usage("--host \(text): write a name or an address, without scheme and port")
        }
        hosts.append(host)
      }
    } else if let url = configuration.publicURL {
      guard let host = CertificateHost(ofURL: url) else {
        throw .usage("the host of WAKE_PUBLIC_URL is not one that a certificate can name; give it by --host")
      }
      hosts.append(host)
    }
    return (hosts + CertificateHost.local).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func document(_ certificate: Certificate, _ files: CertificateFiles) -> JSONValue {
    [
      "certificate": .string(files.certificate), "key": .string(files.key),
      "fingerprint": .string(certificate.fingerprint),
      "hosts": .array(certificate.hosts.map { .string($0.text) }),
      "notAfter": .string(Presentation.time(certificate.notAfterSeconds * 1_000)),
    ]
  }

  private static func lines(_ certificate: Certificate, _ files: CertificateFiles) -> [String] {
    [
      "certificate  \(files.certificate)", "key          \(files.key)",
      "fingerprint  \(certificate.fingerprint)",
      "hosts        \(certificate.hosts.map(\.text).joined(separator: ", "))",
      "until        \(LocalTime.words(certificate.notAfterSeconds * 1_000))",
    ]
  }
}
