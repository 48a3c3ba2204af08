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
  /// Nil for plain http.
  private let certificate: PushServerCertificate?

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
    switch (invocation.value(certificate.flag), invocation.value(key.flag), invocation.value(made.flag)) {
    case (nil, nil, nil): self.certificate = nil
    case (let chain?, let key?, nil):
      self.certificate = try PushServerCertificate(
        reading: CertificateFiles(certificate: invocation.path(chain), key: invocation.path(key)))
    case (nil, nil, let file?):
      self.certificate = try PushServerCertificate(
        makingFor: host, at: invocation.path(file), nowMilliseconds: invocation.now)
    default:
      throw .usage("write \(certificate.flag) together with \(key.flag), or \(made.flag) alone")
    }
  }

  /// Listens. `see` hears of every request before it is answered.
  func start(_ see: @escaping @Sendable (PushSight) -> Void) async throws(CommandError) -> Running {
    do throws(HTTPListenerError) {
      if rules.needsRawSockets {
        let server = try HostilePushServer(
          on: address, identity: certificate?.forBareSockets, rules: rules, seeing: see)
        return Running(origin: server.origin) { await server.stop() }
      }
      let server = try StandInPushServer(
        on: address, identity: certificate?.identity, rules: rules, keepsMessages: false, seeing: see)
      return Running(origin: server.origin) { await server.stop() }
    } catch { throw .failed("\(error)") }
  }

  /// The first line for people.
  func lines(origin: String) -> [String] {
    ["\(rules.personality.rawValue) push server at \(origin)"]
      + (certificate.map { ["its certificate is in \($0.path)"] } ?? [])
  }

  /// The first line for programs.
  func document(origin: String) -> JSONValue {
    [
      "what": "listening", "origin": .string(origin), "as": .string(rules.personality.rawValue),
      "certificate": Presentation.text(certificate?.path),
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
}

extension Invocation {
  /// A path of the command line, absolute.
  fileprivate func path(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(workingFolder)/\(path)"
  }
}
