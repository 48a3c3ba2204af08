import Foundation
import HTTPClient
import TestSupport
import Testing

extension Reliability {
  @Suite("Connections, and the memory that there is")
  struct ConnectionMemoryTests {
    /// More than the memory would do for.
    private static let strangers = Scale.of(full: 3_500, small: 1_200)

    @Test(
      "thousands of connections by TLS that stay open get an answer or a 503, and the kernel ends nobody",
      .enabled(MemoryLimit.unavailable) { MemoryLimit.isHere })
    func crowd() async throws {
      let state = try TemporaryFolder()
      defer { state.remove() }
      let memory = MemoryLimit()
      defer { memory.remove() }
      let settings = ["WAKE_PUBLIC_URL": "https://127.0.0.1"]
      #expect(try await Program.wake(["tls", "init"], state: state, settings).run().exitCode == 0)
      try await Server.with(state, settings, launcher: memory.launcher) { server in
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let told = try await onOwnThread {
          var (open, told) = ([RawHTTPConnection](), [Int?: Int]())
          for _ in 0..<Self.strangers {
            let connection = try RawHTTPConnection(host: "127.0.0.1", port: port)
            do {
              try connection.secure()
              let status = try connection.exchange("GET", "/healthz")?.status
              told[status, default: 0] += 1
              if status == 200 { open.append(connection) }
            } catch {
              // Beyond those that are told so, one waits, or is turned away.
              told[nil, default: 0] += 1
            }
          }
          return told
        }
        #expect(told[200, default: 0] > 400, "\(told)")
        // The larger group that a sanitizer needs has a place for everybody.
        #expect(told[503, default: 0] > 0 || Sanitizer.isOn, "\(told)")
        #expect(Set(told.keys).isSubset(of: [200, 503, nil]), "\(told)")
        Figures.note(
          "connections by TLS", "\(told[200, default: 0]) of \(Self.strangers) served, the others turned away"
        )
        try memory.expectKept(by: server, during: "\(Self.strangers) connections by TLS")
        // The operator has a door of their own.
        #expect(try await server.wake("stack", "list").exitCode == 0)
      }
    }
  }
}
