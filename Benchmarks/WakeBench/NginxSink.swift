import Foundation
import HTTPClient

/// nginx as a push server over TLS and HTTP/1.1 that answers 201 to everything, and counts.
final class NginxSink {
  let tls: TLSFolder
  /// The ports that it listens on, from the first to the last.
  let ports: ClosedRange<Int>
  private let process = Process()
  private let statusPort: Int
  /// Questions for the count, each of which is a request too.
  private var questions = 0

  /// One port that nobody uses, or `ports` of them in a row. `keepsIdleSeconds` is how long a connection may idle; with
  /// 0 each is closed behind its first answer.
  init(ports count: Int = 1, keepsIdleSeconds: Int = 75) async throws {
    tls = try TLSFolder()
    statusPort = try TLSFolder.freePort()
    let first = count == 1 ? try TLSFolder.freePort() : Self.firstOfMany
    ports = first...first + count - 1
    let range = count == 1 ? "\(first)" : "\(ports.lowerBound)-\(ports.upperBound)"
    let configuration = tls.url.appendingPathComponent("nginx.conf")
    try Data(text(range, keepsIdleSeconds).utf8).write(to: configuration)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["nginx", "-p", tls.url.path, "-c", configuration.path, "-e", "error.log"]
    // Debian has it where only root looks.
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/bin"]
    try process.run()
    for _ in 0..<Self.looks {
      if (try? await self.count()) != nil { return }
      guard process.isRunning else { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    let said = (try? String(contentsOf: tls.url.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
    throw ServiceProcess.Failed(description: "nginx does not answer: \(said.suffix(400))")
  }

  /// The origin of its first port.
  var origin: String { origin(0) }

  func origin(_ number: Int) -> String { "https://127.0.0.1:\(ports.lowerBound + number)" }

  /// Requests that came so far.
  func count() async throws -> Int {
    questions += 1
    let reply = try await HTTPClient().send("GET", "http://127.0.0.1:\(statusPort)/")
    let numbers = String(decoding: reply.body, as: UTF8.self).split(separator: "\n").dropFirst(2).first?
      .split(separator: " ")
    guard let requests = numbers?.last.flatMap({ Int($0) }) else {
      throw ServiceProcess.Failed(description: "nginx does not say how many requests came")
    }
    return requests - questions
  }

  /// Waits until `wanted` requests have come in all; when that was.
  func wait(for wanted: Int) async throws -> ContinuousClock.Instant {
    let deadline = ContinuousClock.now + .seconds(120)
    while true {
      let count = try await count()
      if count >= wanted { return .now }
      guard ContinuousClock.now < deadline else {
        throw ServiceProcess.Failed(description: "\(count) of \(wanted) requests came")
      }
      // Each question takes the cores from what is measured.
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Below what Linux takes for outgoing connections.
  private static let firstOfMany = 20_000
  private static let looks = 500

  private func text(_ ports: String, _ idleSeconds: Int) -> String {
    """
    daemon off;
    pid nginx.pid;
    worker_processes 2;
    worker_rlimit_nofile 20000;
    events { worker_connections 8192; }
    http {
      access_log off;
      client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi;
      scgi_temp_path scgi;
      keepalive_requests 100000000;
      keepalive_timeout \(idleSeconds)s;
      ssl_certificate \(tls.certificate.path);
      ssl_certificate_key \(tls.key.path);
      ssl_session_cache off;
      ssl_session_tickets off;
      server { listen 127.0.0.1:\(ports) ssl; location / { return 201; } }
      server { listen 127.0.0.1:\(statusPort); location / { stub_status; } }
    }

    """
  }
}
