internal import CryptoPrimitives
package import EndpointRegistry
internal import Glibc
internal import HTTPListener

/// What can be looked at where no server answers: the files, from this process.
package struct LocalExamination: Sendable {
  package let findings: [DoctorFinding]
  /// Why the store could not be used; nil where it could, or was not looked at.
  package let storeError: RegistryError?

  /// Looks at the state folder, the store and its key, and says that no server answers. Nothing is made or changed.
  ///
  /// - Parameter isSilent: whether a process listens on the admin socket and answers nothing. Nothing else is then looked
  ///   at: the files are in its hands.
  package init(_ configuration: Configuration, isSilent: Bool = false) async {
    var findings = ConfigurationCheck(settings: DoctorSettings(configuration)).findings
    guard !isSilent else {
      self.findings =
        findings + [.skipped(.store, "not looked at: a server works on it"), Self.silent(configuration)]
      storeError = nil
      return
    }
    let start = StartCheck(configuration: configuration)
    var error: RegistryError?
    let folder = configuration.stateFolder.path
    if let mode = Self.mode(of: folder) {
      if mode & (S_IRWXG | S_IRWXO) != 0 {
        findings.append(
          .warning(
            .configuration, "others may look into the state folder \(folder)",
            cause: "the store and its key lie there", fix: "chmod 700 \(folder)"))
      }
      (findings, error) = await Self.store(configuration, findings)
    } else if let closed = ClosedPlace(onTheWayTo: folder) {
      let refusal = RegistryError.file(errorNumber: EACCES, path: closed.path)
      (findings, error) = (findings + [StoreFault(refusal).finding], refusal)
    } else {
      error = .storeMissing(configuration.databasePath)
      findings.append(Self.noFolder(configuration))
    }
    if var fault = start.certificate {
      // `wake tls init` makes none beside one that is named.
      if configuration.namesCertificate { fault.fix = Self.namedCertificate }
      findings.append(fault)
    }
    if findings.contains(where: { $0.verdict == .fault }) {
      findings.append(
        .skipped(.server, "no server answers, and it could not start before the rest is mended"))
    } else {
      findings.append(Self.server(configuration))
    }
    self.findings = findings
    storeError = error
  }

  private static let namedCertificate =
    "put a certificate and its key there; or take WAKE_TLS_CERT_FILE and WAKE_TLS_KEY_FILE out, then make one and pair "
    + "every phone again: wake tls init"

  /// There is no folder: the command was not told where it is, or it was moved away, or nobody made one.
  private static func noFolder(_ configuration: Configuration) -> DoctorFinding {
    let seen = "there is no state folder at \(configuration.stateFolder.path)"
    guard let address = taken(configuration) else {
      return .fault(
        .store, seen, cause: "it lies elsewhere, or none was made yet", fix: StoreFault.nameFolder)
    }
    return .fault(
      .store, seen,
      cause:
        "it lies elsewhere: something listens at \(address), and that may be a service of another folder, or of "
        + "this one, moved away under it",
      fix: "\(StoreFault.nameFolder); one that was moved: stop the service, and move the folder back")
  }

  /// The public address, where something listens there.
  private static func taken(_ configuration: Configuration) -> ListenAddress? {
    guard case .address(let address) = configuration.listen, case .tcp = address else { return nil }
    do throws(HTTPListenerError) { _ = try ListenSocket.listening(on: address) } catch {
      if case .addressInUse = error { return address }
    }
    return nil
  }

  private static func store(
    _ configuration: Configuration, _ findings: [DoctorFinding]
  ) async -> ([DoctorFinding], RegistryError?) {
    let watch = Stopwatch()
    do throws(RegistryError) {
      let path = configuration.databasePath
      guard try configuration.storeExists() else { throw .storeMissing(path) }
      try configuration.refuseOtherName()
      var options = StoreOptions()
      options.migrates = false
      let store = try SQLiteStore.open(
        at: path, keySource: configuration.serviceKey, create: false, random: .system, options: options)
      let written = await StoreWriteCheck(store: store, path: path).finding()
      var damage: RegistryError?
      do throws(RegistryError) { try await store.checked() } catch { damage = error }
      await store.close()
      if let damage { throw damage }
      let key = DoctorFinding.ok(.serviceKey, "it opens the store")
      return (findings + [written, key.took(watch.milliseconds)], nil)
    } catch {
      let fault = StoreFault(error).finding
      let rest: DoctorFinding =
        fault.link == .serviceKey
        ? .skipped(.store, "not looked at: the service key comes first")
        : .skipped(.serviceKey, "not looked at: the store comes first")
      let both = fault.link == .serviceKey ? [rest, fault] : [fault, rest]
      // What is but a warning keeps nothing from being used.
      return (findings + both, fault.verdict == .fault ? error : nil)
    }
  }

  /// A server is there, and says nothing.
  private static func silent(_ configuration: Configuration) -> DoctorFinding {
    .fault(
      .server, "a process listens at \(configuration.stateFolder.adminSocketPath), and does not answer",
      cause: "the server hangs: it was stopped, or it waits for a disk that does not answer",
      fix: "look at the end of its log (journalctl -eu wake), then start it anew: systemctl restart wake")
  }

  /// Nothing else is wrong, and no server answers on the admin socket.
  private static func server(_ configuration: Configuration) -> DoctorFinding {
    let socket = configuration.stateFolder.adminSocketPath
    if configuration.isServedByThisName {
      return .fault(
        .server, "a server works on this store, and does not answer at \(socket)",
        cause: "it was started with another state folder, or it is starting or ending at this moment",
        fix: "name the same state folder as the server has: --state-dir FOLDER (WAKE_STATE_DIR)")
    }
    if let closed = ClosedPlace(onTheWayTo: socket) {
      return .fault(
        .server, closed.sentence, cause: "the admin socket is for the user that the service runs as",
        fix: closed.fix)
    }
    if let fault = StartCheck(configuration: configuration).addresses { return fault }
    return .fault(
      .server, "no server answers at \(socket)", cause: "the service does not run",
      fix: "start it: wake serve (or: systemctl start wake)")
  }

  /// The mode of a file; nil where it cannot be looked at.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : nil
  }
}
