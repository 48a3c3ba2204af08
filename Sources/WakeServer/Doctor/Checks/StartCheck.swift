internal import EndpointRegistry
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

  /// The first address that cannot be listened on; nil where there is none.
  var addresses: DoctorFinding? {
    var places: [(Setting, ListenAddress)] = []
    if case .address(let address) = configuration.listen { places.append((.listen, address)) }
    if let address = configuration.adminListen { places.append((.adminListen, address)) }
    if let address = configuration.metricsListen { places.append((.metricsListen, address)) }
    for (setting, address) in places {
      do throws(HTTPListenerError) { try Self.tryOut(address) } catch {
        // A unit of systemd may give the service leave that this user has not.
        if case .system(_, EACCES) = error { continue }
        return .fault(
          .server, "no server answers, and none could start: \(error)",
          cause: "\(setting.variable) is \(address), which this machine does not give it",
          fix: Self.fix(error, setting, address))
      }
    }
    return nil
  }

  /// Throws what `wake serve` would. A Unix socket is a file, which is not made here: its place is looked at.
  private static func tryOut(_ address: ListenAddress) throws(HTTPListenerError) {
    guard case .unix(let path) = address else {
      _ = try ListenSocket.listening(on: address)
      return
    }
    let folder = FilePath.folder(of: path)
    guard unsafe access(folder, F_OK) == 0 else { throw .system(operation: "open \(folder)", code: errno) }
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK { throw .notASocket(path) }
  }

  private static func fix(_ error: HTTPListenerError, _ setting: Setting, _ address: ListenAddress) -> String
  {
    switch (error, address) {
    case (.system(_, EADDRNOTAVAIL), .tcp):
      "set \(setting.variable) to an address that this machine has (ip -brief address lists them)"
    case (.addressInUse, .tcp(_, let port)):
      "end what listens there (ss -ltnp 'sport = :\(port)' shows it), or set \(setting.variable) to another"
    case (.notASocket, _):
      "move that file away, or set \(setting.variable) to another"
    case (.system(_, ENOENT), .unix(let path)):
      "make its folder (mkdir -p \(FilePath.folder(of: path))), or set \(setting.variable) to another"
    default:
      "set \(setting.variable) to another"
    }
  }
}
