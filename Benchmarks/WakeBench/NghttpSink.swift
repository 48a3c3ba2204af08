import Foundation

/// `nghttpd` as a push server over TLS and HTTP/2, which answers 200 with what it was sent.
final class NghttpSink {
  let tls: TLSFolder
  let port: Int
  private let process = Process()

  init() async throws {
    tls = try TLSFolder()
    port = try TLSFolder.freePort()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "nghttpd", "--address=127.0.0.1", "--echo-upload", "\(port)", tls.key.path, tls.certificate.path,
    ]
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/bin"]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<500 where process.isRunning {
      let socket = LoopbackAddress.connect(port: port)
      if socket >= 0 {
        close(socket)
        return
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw ServiceProcess.Failed(description: "nghttpd does not listen")
  }

  var origin: String { "https://127.0.0.1:\(port)" }

  func end() {
    // nghttpd waits for its connections where it is asked to end.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
