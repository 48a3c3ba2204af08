import Foundation
import Glibc
import StrictJSON
import TestSupport
import Testing

@Suite(
  "Push servers with certificates of their own (B23)",
  .enabled(if: TestAuthority.shared != nil, "\(TestAuthority.absent)"))
struct PushTLSTests {
  private let authority: TestAuthority

  init() throws { authority = try #require(TestAuthority.shared) }

  /// The row of a test wake to a push server with a certificate of that kind, and how many requests that saw.
  private func attempt(
    _ kind: TestAuthority.Kind, _ settings: [String: String], launcher: [String] = [],
    onlyOldVersions: Bool = false
  ) async throws -> (row: JSONValue, requests: Int) {
    let pushServer = try authority.server(kind, onlyOldVersions: onlyOldVersions) { _ in .status(201) }
    defer { pushServer.stop() }
    let origin = "https://localhost:\(pushServer.port)"
    let state = try TemporaryFolder()
    defer { state.remove() }
    let server = try await Server(
      state, settings.merging(["WAKE_PUSH_ALLOW": origin]) { $1 }, launcher: launcher)
    do {
      let stack = try #require(try await server.json("stack", "add", "home")["stack"]?.string)
      let device = try await server.device(endpoint: "\(origin)/up/secret", stack: stack)
      let ended = try await server.wake("device", "test", device, "--wait", "0", "--json")
      #expect(!ended.errors.contains("secret"))
      let rows = try await server.json("attempts").array ?? []
      let row = try #require(rows.first { $0["purpose"] == "test" })
      // Whatever the certificate, the registration stays.
      #expect(try await server.json("device", "list").array?.first?["pushServer"]?.string == origin)
      #expect(await server.stop() == 0)
      return (row, pushServer.requests.count)
    } catch {
      _ = await server.stop()
      throw error
    }
  }

  @Test("an authority that a file names is trusted")
  func named() async throws {
    let (row, requests) = try await attempt(.good, ["WAKE_PUSH_CA_FILE": authority.caFile])
    #expect(row["outcome"] == "accepted" && requests == 2)
  }

  @Test(
    "an authority of the system's store is trusted",
    .enabled("SKIPPED: this needs root and mount namespaces") { await PushTLSTests.canMount() })
  func system() async throws {
    let bundle = "/etc/ssl/certs/ca-certificates.crt"
    let launcher = [
      "/usr/bin/unshare", "--mount", "/bin/sh", "-c",
      "mount --bind '\(authority.caFile)' \(bundle) && exec \"$@\"", "sh",
    ]
    let (row, requests) = try await attempt(.good, [:], launcher: launcher)
    #expect(row["outcome"] == "accepted" && requests == 2)
  }

  @Test("without the authority no request is sent, and the row says what to do")
  func unknown() async throws {
    let (row, requests) = try await attempt(.good, [:])
    #expect(row["outcome"] == "network" && row["status"] == .null && requests == 0)
    #expect(row["reason"]?.string?.contains("WAKE_PUSH_CA_FILE") == true)
  }

  @Test(
    "a certificate that does not fit gets no request, and the row says why",
    arguments: [
      (TestAuthority.Kind.otherName, "for another name"), (.expired, "expired"),
      (.notYetValid, "not valid yet"),
      (.selfSigned, "self-signed"),
    ])
  func unfit(kind: TestAuthority.Kind, words: String) async throws {
    let (row, requests) = try await attempt(kind, ["WAKE_PUSH_CA_FILE": authority.caFile])
    #expect(row["outcome"] == "network" && row["status"] == .null && requests == 0)
    #expect(row["reason"]?.string?.contains(words) == true, "\(row.text)")
  }

  @Test("an old version of TLS gets no request")
  func oldVersion() async throws {
    let (row, requests) = try await attempt(
      .good, ["WAKE_PUSH_CA_FILE": authority.caFile], onlyOldVersions: true)
    #expect(row["outcome"] == "network" && row["status"] == .null && requests == 0)
    #expect(row["reason"]?.string?.isEmpty == false)
  }

  private static func canMount() async -> Bool {
    let arguments = ["--mount", "/bin/sh", "-c", "mount --bind /etc/hosts /etc/hosts"]
    let ended = try? await Program(path: "/usr/bin/unshare", arguments: arguments).run()
    return ended?.exitCode == 0
  }
}
