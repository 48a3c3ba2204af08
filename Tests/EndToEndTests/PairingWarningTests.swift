import StrictJSON
import Testing
import WakeServer

@testable import wake

@Suite("wake pair: what speaks against the address")
struct PairingWarningTests {
  @Test(
    "an address that no phone reaches, and one where all can be read on the way, are told apart from good ones",
    arguments: [
      ("http://127.0.0.1:8090", .unreachable(host: "127.0.0.1")),
      ("https://127.8.8.8", .unreachable(host: "127.8.8.8")),
      ("http://localhost:8090", .unreachable(host: "localhost")),
      ("http://wake.localhost", .unreachable(host: "wake.localhost")),
      ("http://0.0.0.0:8090", .unreachable(host: "0.0.0.0")),
      ("http://[::]:8090", .unreachable(host: "[::]")), ("http://[::1]:8090", .unreachable(host: "[::1]")),
      ("https://[0:0:0:0:0:0:0:1]", .unreachable(host: "[0:0:0:0:0:0:0:1]")),
      ("http://[::ffff:127.0.0.1]", .unreachable(host: "[::ffff:127.0.0.1]")),
      ("http://192.168.1.2:8090", .inTheClear(host: "192.168.1.2")),
      ("http://[2001:db8::1]", .inTheClear(host: "[2001:db8::1]")),
      ("HTTP://wake.example", .inTheClear(host: "wake.example")),
      ("http://127.example", .inTheClear(host: "127.example")),
      ("https://192.168.1.2", nil), ("https://wake.example/base", nil), ("https://[2001:db8::1]:8443", nil),
    ] as [(String, PairingWarning?)])
  func table(baseURL: String, expected: PairingWarning?) {
    #expect(PairingWarning(baseURL: baseURL) == expected)
  }

  /// The settings of a call, and what its one line on standard error names; nothing where there is none.
  static let calls: [([String: String], [String])] = [
    (["WAKE_PUBLIC_URL": "", "WAKE_LISTEN": "127.0.0.1:8090"], ["127.0.0.1", "WAKE_PUBLIC_URL"]),
    (["WAKE_PUBLIC_URL": "", "WAKE_LISTEN": "0.0.0.0:8090"], ["0.0.0.0", "WAKE_PUBLIC_URL"]),
    (["WAKE_PUBLIC_URL": "", "WAKE_LISTEN": "[::]:8090"], ["[::]", "WAKE_PUBLIC_URL"]),
    (["WAKE_PUBLIC_URL": "http://10.1.2.3"], ["10.1.2.3", "wake tls init", "in the clear"]),
    (["WAKE_PUBLIC_URL": "https://wake.example"], []),
  ]

  @Test(
    "the line stands on standard error, with --json too, and the answer is there all the same",
    arguments: calls)
  func program(settings: [String: String], words: [String]) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    for arguments in [["pair", "home"], ["pair", "home", "--json"]] {
      let ended = try await Program.wake(arguments, state: state, settings).run()
      #expect(ended.exitCode == 0)
      #expect(ended.errors.split(separator: "\n").count == (words.isEmpty ? 0 : 1))
      #expect(words.isEmpty || ended.errors.hasPrefix("wake: warning: "))
      for word in words { #expect(ended.errors.contains(word)) }
      #expect(!ended.output.contains("warning"))
      if arguments.count == 3 { #expect(try ended.json["uri"] != nil) }
    }
  }

  @Test(
    "where no address can be formed there is no link and no code: exit code 2, and what to set",
    arguments: [
      ["WAKE_PUBLIC_URL": "", "WAKE_LISTEN": "127.0.0.1:0"],
      ["WAKE_PUBLIC_URL": "", "WAKE_LISTEN": "unix:/run/wake"],
      ["WAKE_PUBLIC_URL": "https://"], ["WAKE_PUBLIC_URL": "https://user@wake.example"],
      ["WAKE_PUBLIC_URL": "wake.example"],
    ])
  func noAddress(settings: [String: String]) async throws {
    let state = try TemporaryFolder()
    defer { state.remove() }
    #expect(try await Program.wake(["stack", "add", "home"], state: state).run().exitCode == 0)
    let ended = try await Program.wake(["pair", "home"], state: state, settings).run()
    #expect(ended.exitCode == 2 && ended.output.isEmpty)
    #expect(ended.errors.hasPrefix("wake: ") && ended.errors.split(separator: "\n").count == 1)
    #expect(ended.errors.contains("WAKE_PUBLIC_URL") && !ended.errors.contains("user@"))
  }
}
