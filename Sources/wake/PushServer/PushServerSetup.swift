import CryptoPrimitives
import Foundation
import HTTPListener
import StandIns
import StrictJSON
import WakeServer

/// What a command line makes of `wake pushserver`, and the server itself.
struct PushServerSetup {
  /// A server that runs.
  struct Running {
    let origin: String
    let stop: () async -> Void
  }

  private let rules: PushServerRules
  private let address: ListenAddress
  private let identity: TLSIdentity?
  /// The file of the certificate, where there is one.
  private let certificate: String?

  init(
    _ invocation: Invocation, plays: Option, script: Option, listen: Option, certificate: Option,
    key: Option, made: Option, unchecked: Option
  ) throws(CommandError) {
    let name = invocation.value(plays.flag) ?? PushServerPersonality.strict.rawValue
    guard let personality = PushServerPersonality(rawValue: name) else {
      let names = PushServerPersonality.allCases.map(\.rawValue).joined(separator: ", ")
      throw .usage("\(plays.flag) is one of \(names)")
    }
    var read: PushScript?
    if let file = invocation.value(script.flag) { read = try Self.script(invocation.path(file), named: file) }
    rules = PushServerRules(as: personality, script: read, checks: !invocation.has(unchecked))
    do throws(HTTPListenerError) {
      address = try ListenAddress(parsing: invocation.value(listen.flag) ?? "127.0.0.1:0")
    } catch { throw .usage("\(listen.flag): \(error)") }
    guard case .tcp(let host, _) = address else {
      throw .usage("\(listen.flag) is a host and a port, such as 127.0.0.1:0")
    }
    if rules.needsRawSockets, [certificate, key, made].contains(where: invocation.has) {
      throw .usage(
        "faults are for plain http: leave out TLS, or `\(plays.flag) hostile` and the script's faults")
    }
    switch (invocation.value(certificate.flag), invocation.value(key.flag), invocation.value(made.flag)) {
    case (nil, nil, nil): (identity, self.certificate) = (nil, nil)
    case (let chain?, let key?, nil):
      let files = CertificateFiles(certificate: invocation.path(chain), key: invocation.path(key))
      do throws(CertificateFileError) { identity = try ServerCertificate(reading: files).identity } catch {
        throw .failed("\(error)")
      }
      self.certificate = files.certificate
    case (nil, nil, let file?):
      self.certificate = invocation.path(file)
      identity = try Self.make(for: host, at: invocation.path(file), nowMilliseconds: invocation.now)
    default:
      throw .usage("write \(certificate.flag) together with \(key.flag), or \(made.flag) alone")
    }
  }

  /// Listens. `see` hears of every request before it is answered.
  func start(_ see: @escaping @Sendable (PushSight) -> Void) async throws(CommandError) -> Running {
    do throws(HTTPListenerError) {
      if rules.needsRawSockets {
        let server = try HostilePushServer(on: address, rules: rules, seeing: see)
        return Running(origin: server.origin) { await server.stop() }
      }
      let server = try StandInPushServer(
        on: address, identity: identity, rules: rules, keepsMessages: false, seeing: see)
      return Running(origin: server.origin) { await server.stop() }
    } catch { throw .failed("\(error)") }
  }

  /// The first line for people.
  func lines(origin: String) -> [String] {
    ["\(rules.personality.rawValue) push server at \(origin)"]
      + (certificate.map { ["its certificate is in \($0)"] } ?? [])
  }

  /// The first line for programs.
  func document(origin: String) -> JSONValue {
    [
      "what": "listening", "origin": .string(origin), "as": .string(rules.personality.rawValue),
      "certificate": Presentation.text(certificate),
    ]
  }

  private static func script(_ path: String, named name: String) throws(CommandError) -> PushScript {
    let handle = FileHandle(forReadingAtPath: path)
    defer { try? handle?.close() }
    guard let octets = try? handle?.read(upToCount: PushScript.octetsMaximum + 1) ?? Data() else {
      throw .usage("\(name) cannot be read")
    }
    guard handle != nil else { throw .usage("\(name) cannot be read") }
    do throws(PushScriptError) { return try PushScript(reading: Array(octets)) } catch {
      throw .usage("\(name): \(error)")
    }
  }

  /// A key in memory alone, and a certificate for this machine and the host that is listened at.
  private static func make(
    for host: String, at path: String, nowMilliseconds: Int64
  ) throws(CommandError) -> TLSIdentity {
    /// From a day before, for clocks that are behind, to a year ahead, which no run of tests outlives.
    let (now, day): (Int64, Int64) = (nowMilliseconds / 1_000, 86_400)
    let hosts = CertificateHost.local + [CertificateHost(parsing: host)].compactMap(\.self)
    let distinct: [CertificateHost] = hosts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    let pair: SelfSignedCertificate
    let identity: TLSIdentity
    do throws(any Error) {
      try Algorithms.prepare()
      pair = try SelfSignedCertificate(
        hosts: distinct, validSeconds: now - day...now + 365 * day, random: .system)
      identity = try TLSIdentity(chainPEM: pair.certificatePEM, keyPEM: pair.keyPEM.octets)
    } catch { throw .failed("no certificate could be made: \(error)") }
    do { try Data(pair.certificatePEM).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
      throw .failed("\(path) cannot be written")
    }
    return identity
  }
}

extension Invocation {
  /// A path of the command line, absolute.
  fileprivate func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
  }
}
