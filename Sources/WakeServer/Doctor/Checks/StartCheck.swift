internal import Glibc
internal import HTTPListener

/// What keeps `wake serve` from starting beside the store: looked at in the same way, and left as it was.
struct StartCheck {
  let configuration: Configuration

  /// The service's own certificate and key; nil where there is nothing to say.
  var certificate: DoctorFinding? {
    guard let files = configuration.tls else { return nil }
    let watch = Stopwatch()
    do throws(CertificateFileError) {
      _ = try ServerCertificate(reading: files)
      return nil
    } catch {
      return DoctorFinding.fault(
        .certificate, "\(error)", cause: "the service does not start with a certificate that it cannot show",
        fix:
          "put a certificate and its key there; or make them anew and pair every phone again: wake tls init --force"
      ).took(watch.milliseconds)
    }
  }

  /// The first address that cannot be listened on; nil where there is none. Unix sockets are files and not made here.
  var ports: DoctorFinding? {
    var places: [(Setting, ListenAddress)] = []
    if case .address(let address) = configuration.listen { places.append((.listen, address)) }
    if let address = configuration.adminListen { places.append((.adminListen, address)) }
    if let address = configuration.metricsListen { places.append((.metricsListen, address)) }
    for (setting, address) in places {
      guard case .tcp(_, let port) = address else { continue }
      do throws(HTTPListenerError) { _ = try ListenSocket.listening(on: address) } catch {
        // A unit of systemd may give the service leave that this user has not.
        if case .system(_, EACCES) = error { continue }
        return .fault(
          .server, "no server answers, and none could start: \(error)",
          cause: "\(setting.variable) is \(address), which this machine does not give it",
          fix:
            "end what listens there (ss -ltnp 'sport = :\(port)' shows it), or set \(setting.variable) to another"
        )
      }
    }
    return nil
  }
}
