import Foundation
import Glibc

/// An nginx of the test's own, which listens on a Unix socket in a folder and passes everything on.
struct Nginx: Sendable {
  static let path = "/usr/sbin/nginx"
  /// Why the tests that need it are skipped.
  static let absent = "SKIPPED: \(path) is not here"
  static var isHere: Bool { access(path, X_OK) == 0 }

  let socket: String
  private let folder: TemporaryFolder
  private let child: Child

  struct NotListening: Error {
    let said: String
  }

  /// Starts it; `settings` are lines of its location, beside where it passes requests on to.
  init(in folder: TemporaryFolder, to address: String, settings: String) async throws {
    self.folder = folder
    socket = folder.path("nginx.sock")
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.path("nginx-\($0)"));" }.joined(separator: "\n  ")
    let configuration = """
      daemon off;
      master_process off;
      pid \(folder.path("nginx.pid"));
      error_log stderr;
      events { worker_connections 64; }
      http {
        \(temporary)
        access_log off;
        gzip on;
        gzip_min_length 0;
        server {
          listen unix:\(socket);
          location / {
            proxy_pass http://\(address);
            \(settings)
          }
        }
      }
      """
    let log = try folder.newFile("nginx-log")
    let written = try folder.newFile("nginx.conf")
    try written.write(contentsOf: Data(configuration.utf8))
    child = try Child(
      Program(
        path: Self.path, arguments: ["-p", folder.path(""), "-e", "stderr", "-c", folder.path("nginx.conf")]),
      input: FileHandle.nullDevice.fileDescriptor, output: log.fileDescriptor, errors: log.fileDescriptor)
    let end = ContinuousClock.now + .seconds(20)
    while !FileManager.default.fileExists(atPath: socket) {
      guard ContinuousClock.now < end else {
        child.signal(SIGKILL)
        throw NotListening(said: try folder.text("nginx-log"))
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  /// Asks it to end, and waits.
  func stop() async {
    child.signal(SIGTERM)
    _ = await child.exitCode()
  }
}
